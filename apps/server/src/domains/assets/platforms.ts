import {
  type Category,
  constraintsOf,
  defaultAutomation,
  isTypeOf,
  Platform,
  settingDefaults,
  specOf,
  type StoredProtocol,
} from '@sallyport/contract'
import { invalid } from '../../kernel/errors.ts'
import { type InputOf, type SavingOf, serve } from '../../kernel/resource/binding.ts'
import { system } from '../../kernel/resource/rows.ts'
import { platforms } from './tables.ts'

type Input = InputOf<typeof Platform, typeof platforms>
type GivenProtocol = NonNullable<Input['protocols']>[number]

/** Nested items keep their number; new ones get the next, and what they leave unsaid from the defaults. */
function protocolsOf(given: readonly GivenProtocol[], before: readonly StoredProtocol[]): StoredProtocol[] {
  const names = new Set<string>()
  let last = Math.max(0, ...before.map(({ id }) => id))
  return given.map((item) => {
    if (names.has(item.name)) throw invalid('protocols', 'protocol_repeated', { name: item.name })
    names.add(item.name)
    const known = before.find(({ id }) => id === item.id)
    return {
      id: known?.id ?? ++last,
      name: item.name,
      port: item.port,
      default: item.default ?? known?.default ?? false,
      required: item.required ?? known?.required ?? false,
      setting: {
        ...settingDefaults,
        ...(known?.setting ?? specOf(item.name)?.setting),
        ...item.setting,
      },
    }
  })
}

function prepare(_ctx: unknown, saving: SavingOf<typeof Platform, typeof platforms>): Input {
  const { input, before } = saving
  const { category, type } = saving.mode === 'create' ? saving.input : { ...saving.before, ...input }
  if (!isTypeOf(category, type)) throw invalid('type', 'platform_type_mismatch', { type, category })
  const prepared: Input = { ...input }
  if (input.protocols !== undefined)
    prepared.protocols = protocolsOf(input.protocols, before?.protocols ?? [])
  if (before === undefined || input.automation !== undefined) {
    const { id: _id, ...given } = input.automation ?? {}
    prepared.automation = { ...(before?.automation ?? defaultAutomation(category, type)), ...given }
  }
  return prepared
}

function present(row: Record<string, unknown>): Record<string, unknown> {
  const category = (row['category'] as { value: Category } | undefined)?.value
  const type = (row['type'] as { value: string } | undefined)?.value
  const primary = category && type ? constraintsOf(category, type)?.protocols[0]?.name : undefined
  const protocols = row['protocols'] as StoredProtocol[] | undefined
  const automation = row['automation'] as object | undefined
  return {
    ...row,
    ...(protocols && {
      protocols: protocols.map(({ id, name, port, ...rest }) => ({
        id,
        name,
        port,
        primary: name === primary,
        ...rest,
        secret_types: specOf(name)?.secretTypes ?? null,
      })),
    }),
    ...(automation && { automation: { id: row['id'], ...automation } }),
  }
}

export const platformServed = serve(Platform, {
  table: platforms,
  rows: system,
  prepare,
  present: (_ctx, row) => present(row),
  may: (_ctx, row) => (row.internal ? 'platform_internal' : true),
})
/** A platform as its own address answers it, for answers that hold one. */
export const presentPlatform = present
