/** Rules and effects of writing an asset. */
import { isDeepStrictEqual } from 'node:util'
import { type Category, constraintsOf, gatewayPlatformName, type Host } from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import type { InputOf, SavingOf } from '../../kernel/resource/binding.ts'
import { certificateFields, checkDatabase } from './databases.ts'
import { maxLabels } from './labelling.ts'
import { ensureRoot } from './nodes.ts'
import { type assets, platforms } from './tables.ts'

type Platform = typeof platforms.$inferSelect
type Saving = SavingOf<typeof Host, typeof assets>
type Input = InputOf<typeof Host, typeof assets>
interface GivenProtocol {
  name: string
  port?: number | null
}
/** What a list of assets is about; undefined: all of them. */
export interface AssetKind {
  category: Category
  isGateway?: boolean
}

export async function platformOf(
  ctx: Context,
  saving: Saving,
  kind: AssetKind | undefined,
): Promise<Platform> {
  const id = Number(saving.input.platform ?? saving.before?.platform_id)
  const where = kind?.isGateway ? eq(platforms.name, gatewayPlatformName) : eq(platforms.id, id)
  const [found] = await saving.batch.once(`platform ${id}`, async () =>
    ctx.db.select().from(platforms).where(where),
  )
  if (found === undefined) throw invalid('platform', 'platform_not_exist')
  const category = kind?.category ?? saving.before?.category
  if (category !== undefined && found.category !== category)
    throw invalid('platform', 'platform_category_mismatch', { platform: found.name })
  return found
}

/** The protocols a new asset gets when it names none: what it cannot do without, then what the platform offers. */
export function defaultProtocols(platform: Platform): { name: string; port: number }[] {
  const primary = constraintsOf(platform.category, platform.type)?.protocols[0]?.name
  const isNeeded = (one: Platform['protocols'][number]) => one.required || one.name === primary
  return [
    ...platform.protocols.filter((one) => isNeeded(one)),
    ...platform.protocols.filter((one) => one.default && !isNeeded(one)),
  ].map(({ name, port }) => ({ name, port }))
}

function checkedProtocols(
  given: readonly GivenProtocol[],
  platform: Platform,
): { name: string; port: number }[] {
  const seen = new Set<string>()
  const checked = given.map(({ name, port }) => {
    if (!platform.protocols.some((one) => one.name === name))
      throw invalid('protocols', 'protocol_not_of_platform', { name, platform: platform.name })
    if (typeof port !== 'number') throw invalid('protocols', 'protocol_port_range', { name })
    if (seen.has(name)) throw invalid('protocols', 'protocol_repeated', { name })
    seen.add(name)
    return { name, port }
  })
  const primary = constraintsOf(platform.category, platform.type)?.protocols[0]?.name
  const missing = platform.protocols.find(
    (one) => (one.required || one.name === primary) && !seen.has(one.name),
  )
  if (missing) throw invalid('protocols', 'protocol_required', { name: missing.name })
  return checked
}

export async function prepareAsset(
  ctx: Context,
  saving: Saving,
  kind: AssetKind | undefined,
): Promise<Input> {
  const { mode, input } = saving
  const platform = await platformOf(ctx, saving, kind)
  const prepared: Input = { ...input }
  if (kind?.isGateway) prepared.platform = platform.id
  if (!platform.domain_enabled && (mode === 'create' || 'domain' in input || 'platform' in input))
    prepared.domain = null
  if (input.protocols !== undefined) prepared.protocols = checkedProtocols(input.protocols, platform)
  else if (saving.mode === 'create') prepared.protocols = defaultProtocols(platform)
  else if (saving.before.platform_id !== platform.id) checkedProtocols(saving.before.protocols, platform)
  if ('db_name' in input || 'platform' in input)
    checkDatabase(platform.type, input.db_name ?? saving.before?.db_name)
  // Left empty they stay as they are.
  for (const name of certificateFields) if (prepared[name] === '') delete prepared[name]
  if ((input.labels?.length ?? 0) > maxLabels) throw invalid('labels', 'too_many_items', { max: maxLabels })
  if (input.nodes?.length === 0) throw invalid('nodes', 'empty_list')
  if (input.nodes === undefined && mode === 'create')
    prepared.nodes = [(await saving.batch.once('root', () => ensureRoot(ctx.db, ctx.org))).id]
  return prepared
}

type Stored = NonNullable<Saving['before']>

/** What says where on its page an account of a website is typed in. */
const typedInto = [
  'autofill',
  'username_selector',
  'password_selector',
  'submit_selector',
  'script',
] as const satisfies readonly (keyof Stored)[]

/**
 * Whether somebody who has to prove no more than before who they are may be told the secret afterwards. Where a server proves who it is, it
 * may be told passwords themselves, which whoever answers without TLS is not: TLS is begun freely only with authorities everybody knows.
 */
function isLessCertain(before: Stored, after: Input): boolean {
  const { use_ssl: isOn = before.use_ssl, allow_invalid_cert: allowsAny = before.allow_invalid_cert } = after
  // Stored sealed: one that is sent is taken for another.
  const isOther = after.ca_cert !== undefined && after.ca_cert !== before.ca_cert
  if (isOther || (allowsAny && !before.allow_invalid_cert)) return true
  return isOn ? !before.use_ssl && (allowsAny || before.ca_cert !== null) : before.use_ssl
}

/**
 * Whether what is stored for this asset would be sent to another place: another address, another port, another way there, another field of
 * a page, or to whoever answers there.
 */
export function isMoved(before: Stored, after: Input, platform: Platform): boolean {
  const { address, domain, protocols } = after
  if (address !== undefined && address !== before.address) return true
  if (domain !== undefined && domain !== before.domain_id) return true
  // A gateway of a zone is reached straight, what else is in it is not.
  const isGateway = (name: string | undefined) => name === gatewayPlatformName
  if (before.domain_id !== null && isGateway(before.platform?.name) !== isGateway(platform.name)) return true
  // Through a gateway that is used again goes what is meant for its zone.
  if (isGateway(platform.name) && after.is_active === true && !before.is_active) return true
  // Where accounts are become with su, their passwords are typed into the login of another one.
  if (before.platform_id !== platform.id && platform.su_enabled && platform.su_method !== 'sudo') return true
  if (isLessCertain(before, after)) return true
  if (typedInto.some((name) => after[name] !== undefined && !isDeepStrictEqual(after[name], before[name])))
    return true
  const isKnown = ({ name, port }: GivenProtocol) =>
    before.protocols.some((one) => one.name === name && one.port === port)
  return protocols?.some((one) => !isKnown(one)) === true
}
