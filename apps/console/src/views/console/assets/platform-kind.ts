import {
  type Automation,
  type Constraints,
  constraintsOf,
  type Method,
} from '@sallyport/contract/assets/constraints'
import { isCategory } from '@sallyport/contract/assets/types'
import { isRecord } from '../../../kit/api/errors.ts'
import type { Text } from '../../../kit/text.ts'

const wordOf = (value: unknown) => (isRecord(value) ? value['value'] : value)

/** What a platform of this category and type can be, as a row or a form holds the two; undefined while they are not known. */
export function kindOf({ category, type }: { category?: unknown; type?: unknown }): Constraints | undefined {
  const [inCategory, ofType] = [wordOf(category), wordOf(type)]
  return typeof inCategory === 'string' && isCategory(inCategory) && typeof ofType === 'string'
    ? constraintsOf(inCategory, ofType)
    : undefined
}

/** Whether that kind of machine can be worked on by Ansible at all, or in this way. */
export const automates = (of: Parameters<typeof kindOf>[0], what: Automation | 'ansible'): boolean =>
  kindOf(of)?.automation[`${what}_enabled`] === true

/** How one way of automation is carried out for that kind; the first is the usual one. */
export function methodsOf(of: Parameters<typeof kindOf>[0], what: Automation): readonly Method[] {
  const methods = kindOf(of)?.automation[`${what}_methods`]
  return Array.isArray(methods) ? methods : []
}

const posix = new Set(['linux', 'unix'])
/** What one way of automation is called for machines of a type, whose label is told along. */
export const methodName = (what: Automation, type: { value: unknown; label: string }, text: Text): string =>
  text(`console:method_${what}`, { kind: posix.has(String(type.value)) ? 'POSIX' : type.label })
