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
import { eq } from 'drizzle-orm'
import { invalid } from '../../kernel/errors.ts'
import { type InputOf, type SavingOf, serve, type Served } from '../../kernel/resource/binding.ts'
import { system } from '../../kernel/resource/rows.ts'
import type { AccountsOfAssets } from './assets.ts'
import { assets, platforms } from './tables.ts'

type Input = InputOf<typeof Platform, typeof platforms>
type GivenProtocol = NonNullable<Input['protocols']>[number]

/** Known by their names, whatever number is sent: they keep theirs; new ones get the next, and what they leave unsaid from the defaults. */
function protocolsOf(given: readonly GivenProtocol[], before: readonly StoredProtocol[]): StoredProtocol[] {
  const names = new Set<string>()
  let last = Math.max(0, ...before.map(({ id }) => id))
  return given.map((item) => {
    if (names.has(item.name)) throw invalid('protocols', 'protocol_repeated', { name: item.name })
    names.add(item.name)
    const known = before.find(({ name }) => name === item.name)
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

/** Only what its type speaks, and always what leads to its assets first. @throws ValidationError */
function checkProtocols(category: Category, type: string, offered: readonly { name: string }[]): void {
  const known = constraintsOf(category, type)?.protocols ?? []
  for (const { name } of offered)
    if (!known.some((protocol) => protocol.name === name))
      throw invalid('protocols', 'protocol_not_of_type', { name, type })
  const primary = known[0]
  if (primary && !offered.some(({ name }) => name === primary.name))
    throw invalid('protocols', 'protocol_primary_missing', { name: primary.name })
}

/** The primary one, where a new platform says nothing of protocols. */
const primaryOf = (category: Category, type: string): GivenProtocol[] =>
  (constraintsOf(category, type)?.protocols ?? []).slice(0, 1).map(({ name, port }) => ({ name, port }))

/** Whether passwords of accounts that are become are typed into the login of another account. */
const typesElsewhere = ({
  su_enabled: isOn,
  su_method: method,
}: {
  su_enabled?: boolean
  su_method?: string | null
}) => isOn === true && method !== 'sudo'

function prepare(saving: SavingOf<typeof Platform, typeof platforms>): Input {
  const { input, before } = saving
  const { category, type } = saving.mode === 'create' ? saving.input : { ...saving.before, ...input }
  if (!isTypeOf(category, type)) throw invalid('type', 'platform_type_mismatch', { type, category })
  const prepared: Input = { ...input }
  const given = input.protocols ?? (before ? undefined : primaryOf(category, type))
  if (given !== undefined) prepared.protocols = protocolsOf(given, before?.protocols ?? [])
  // What was there before may be older than this rule; it stays until it is touched.
  if (given !== undefined || before?.category !== category || before.type !== type)
    checkProtocols(category, type, prepared.protocols ?? before?.protocols ?? [])
  if (before === undefined || input.automation !== undefined) {
    const { id: _id, ...automation } = input.automation ?? {}
    prepared.automation = {
      ...(before?.automation ?? defaultAutomation(category, type)),
      ...automation,
    }
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

export const platformsServed = (accountsOf: Pick<AccountsOfAssets, 'checkMayMoveAll'>): Served =>
  serve(Platform, {
    table: platforms,
    rows: system,
    prepare: async (ctx, saving) => {
      const prepared = prepare(saving)
      const { before } = saving
      if (before && !typesElsewhere(before) && typesElsewhere({ ...before, ...prepared }))
        await accountsOf.checkMayMoveAll(ctx, {
          assets: eq(assets.platform_id, before.id),
          isSwitching: true,
          called: `Platform: ${before.name}`,
        })
      return prepared
    },
    present: (_ctx, row) => present(row),
    may: (_ctx, row) => (row.internal ? 'platform_internal' : true),
  })
/** The list of platforms for other lists to show; not for writing. */
export const platformsRead = platformsServed({
  checkMayMoveAll: () => Promise.reject(new Error('platforms are not written through this list')),
})
