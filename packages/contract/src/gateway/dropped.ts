import type { z } from 'zod'

/** For tests: paths of what `value` holds and `schema` says nothing of, so that parsing loses it. Throws when it does not fit at all. */
export const droppedFields = (schema: z.ZodType, value: unknown): string[] =>
  lost(value, schema.parse(value), '')

function lost(given: unknown, parsed: unknown, path: string): string[] {
  if (typeof given !== 'object' || given === null || typeof parsed !== 'object' || parsed === null) return []
  const kept = parsed as Readonly<Record<string, unknown>>
  return Object.entries(given).flatMap(([name, value]) => {
    const here = path === '' ? name : `${path}.${name}`
    return value === undefined ? [] : name in kept ? lost(value, kept[name], here) : [here]
  })
}
