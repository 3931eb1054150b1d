/** Host keys of targets and of gateways: kept here, so that all gateways know the same machines and show one face. */
import { type BodyOf, HostKey } from '@sallyport/contract'
import {
  type AcceptedHostKeys,
  hostKeySchema,
  type HostKeyVerdict,
  ownHostKeysSchema,
} from '@sallyport/contract/gateway/host-keys'
import { fingerprintOf } from '@sallyport/ssh/keys/fingerprint'
import { generateKey } from '@sallyport/ssh/keys/generate'
import { formatOpenSshKey } from '@sallyport/ssh/keys/openssh-key'
import { parsePrivateKey } from '@sallyport/ssh/keys/private-key'
import { and, desc, eq, sql } from 'drizzle-orm'
import { callerOf, type Context, displayOf } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { org, system } from '../../kernel/resource/rows.ts'
import { sharedKey } from '../../kernel/secrets/shared-keys.ts'
import { assetRelation, assets } from '../assets/index.ts'
import { callingTerminal } from './components.ts'
import type { TerminalServices } from './services.ts'
import { hostKeys, terminals } from './tables.ts'
import { orderHostKeyRefused } from './tasks.ts'

/** A hostile machine may show a new key each time: so many of one address are kept for a decision. */
const undecidedMax = 10

export type HostKeyRow = typeof hostKeys.$inferSelect

export const hostKeyServed = ({ live, secrets }: Pick<TerminalServices, 'live' | 'secrets'>): Served =>
  serve(HostKey, {
    table: hostKeys,
    rows: org(hostKeys.org_id),
    relations: { asset: assetRelation, terminal: { table: terminals, rows: system } },
    calls: {
      accept: (ctx, { row }) => decide(ctx, row, 'accepted'),
      refuse: async (ctx, { row }) => {
        await decide(ctx, row, 'refused')
        // What stands on a key whose place another one takes goes on: it was that machine's all along.
        if (row.state === 'accepted') await orderHostKeyRefused(ctx.db, live, row, callerOf(ctx).name)
      },
      accepted: async (ctx, { query: { asset, address } }) => {
        await callingTerminal(ctx)
        if (!asset || !address) throw invalid(asset ? 'address' : 'asset', 'required')
        return await acceptedKeys(ctx, { asset, address })
      },
      seen: (ctx, { body }) => takeSeen(ctx, body),
      own: async (ctx, { body: { keys } }) => {
        await callingTerminal(ctx)
        const offered = ownHostKeysSchema.safeParse({ keys })
        if (!offered.success) throw invalid('keys', 'host_key_unreadable')
        return { keys: await gatewayHostKeys(ctx.db, secrets, () => Promise.resolve(keys)) }
      },
    },
  })

/** The host keys all gateways show, as text. Those of the first who offers some count. */
async function gatewayHostKeys(
  db: Executor,
  secrets: TerminalServices['secrets'],
  offer: () => Promise<string[]>,
): Promise<string[]> {
  const kept = await sharedKey(db, secrets, 'gateway_host_keys', async () => ({
    publicKey: '',
    privateKey: JSON.stringify(await offer()),
  }))
  return ownHostKeysSchema.parse({ keys: JSON.parse(kept.privateKey) }).keys
}

/**
 * Of these the RSA key, in PEM: gateways of the compatible system take the one they show from their settings. Empty where gateways
 * were given others.
 */
export async function rsaHostKey(db: Executor, secrets: TerminalServices['secrets']): Promise<string> {
  const create = async (type: 'ssh-ed25519' | 'ssh-rsa') => formatOpenSshKey(await generateKey(type))
  const keys = await gatewayHostKeys(db, secrets, () =>
    Promise.all([create('ssh-ed25519'), create('ssh-rsa')]),
  )
  const rsa = keys
    .map((text) => parsePrivateKey(text).keyObject)
    .find((key) => key.asymmetricKeyType === 'rsa')
  return rsa?.export({ type: 'pkcs1', format: 'pem' }) ?? ''
}

type SeenHostKey = BodyOf<(typeof HostKey)['calls']['seen']>

/** The books know a key by where and what it is. */
type Known = Omit<HostKeyRow, 'date_created' | 'date_updated'>
const named = (row: Known) => ({ ...row, name: `${row.address} ${row.fingerprint}` })

const ofTarget = ({ asset, address }: { asset: string; address: string }) =>
  and(eq(hostKeys.asset_id, asset), eq(hostKeys.address, address))

export async function acceptedKeys(
  ctx: Context,
  target: { asset: string; address: string },
): Promise<AcceptedHostKeys> {
  const keys = await ctx.db
    .select({ algorithm: hostKeys.algorithm, key: hostKeys.key, fingerprint: hostKeys.fingerprint })
    .from(hostKeys)
    .where(and(ofTarget(target), eq(hostKeys.state, 'accepted')))
  return { keys }
}

/** Where an asset is reached, as gateways write it; what a component says of other places is no news of this asset. */
const addressesOf = ({ address, protocols }: { address: string; protocols: readonly { port: number }[] }) =>
  protocols.map(({ port }) => addressAt(address, port))
/** `host:port`, IPv6 in brackets. */
export const addressAt = (address: string, port: number) =>
  address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
/** Where a protocol of it is reached. */
export const addressOf = (
  { address, protocols }: { address: string; protocols: readonly { name: string; port: number | null }[] },
  protocol: string,
) => addressAt(address, protocols.find(({ name }) => name === protocol)?.port ?? 0)

/** `SHA256:…`, as OpenSSH shows it. @throws ValidationError when the key cannot be read, or says it is of another algorithm. */
function checkedFingerprint({ algorithm, key }: SeenHostKey): string {
  if (!hostKeySchema.safeParse({ algorithm, key, fingerprint: '' }).success)
    throw invalid('key', 'host_key_unreadable')
  const bytes = Buffer.from(key, 'base64')
  const length = bytes.length >= 4 ? bytes.readUInt32BE(0) : 0
  if (bytes.toString('latin1', 4, 4 + Math.min(length, 64)) !== algorithm)
    throw invalid('key', 'host_key_differs')
  return fingerprintOf(bytes)
}

/**
 * Keeps what a target showed. The very first key of an asset is accepted, of several at once the first; any later one waits for a
 * decision, also at another address of the asset, unless it is the one accepted there.
 */
async function takeSeen(ctx: Context, seen: SeenHostKey): Promise<HostKeyVerdict> {
  const terminal = await callingTerminal(ctx)
  const fingerprint = checkedFingerprint(seen)
  const [asset] = await ctx.db
    .select({
      id: assets.id,
      name: assets.name,
      org_id: assets.org_id,
      address: assets.address,
      protocols: assets.protocols,
    })
    .from(assets)
    .where(eq(assets.id, seen.asset))
  if (asset === undefined) throw notFound((language) => ({ en: 'Asset', zh: '资产', ja: '資産' })[language])
  if (!addressesOf(asset).includes(seen.address)) throw invalid('address', 'host_key_elsewhere')
  // Of several who bring a first key at once, one is first.
  await lockKeysOf(ctx, asset.id)
  const ofAsset = await ctx.db
    .select()
    .from(hostKeys)
    .where(eq(hostKeys.asset_id, asset.id))
    .orderBy(desc(hostKeys.date_created))
  const rows = ofAsset.filter(({ address }) => address === seen.address)
  const known = rows.find((row) => row.fingerprint === fingerprint)
  if (known !== undefined) return { state: known.state, ...(await acceptedKeys(ctx, seen)) }
  const [oldest] = rows.filter(({ state }) => state === 'pending').slice(undecidedMax - 1)
  if (oldest !== undefined) {
    await ctx.db.delete(hostKeys).where(eq(hostKeys.id, oldest.id))
    await ctx.emit({
      type: 'deleted',
      resource: HostKey,
      id: oldest.id,
      before: named(oldest),
      after: undefined,
      secrets: [],
    })
  }
  // An asset that moved takes its key along; whatever else answers at its new place may be anybody's machine.
  const isItself = ofAsset.some((row) => row.state === 'accepted' && row.fingerprint === fingerprint)
  const isFirst = ofAsset.length === 0 || (rows.length === 0 && isItself)
  const state = isFirst ? 'accepted' : 'pending'
  const [made] = await ctx.db
    .insert(hostKeys)
    .values({
      asset_id: asset.id,
      address: seen.address,
      algorithm: seen.algorithm,
      key: seen.key,
      fingerprint,
      state,
      terminal_id: terminal.id,
      org_id: asset.org_id,
      updated_by: terminal.name,
    })
    .returning()
  if (made === undefined) throw new Error('the insert of a host key answered nothing')
  await ctx.emit({
    type: 'created',
    resource: HostKey,
    id: made.id,
    before: undefined,
    after: named(made),
    secrets: [],
  })
  const accepted = await acceptedKeys(ctx, seen)
  if (state === 'pending')
    await ctx.emit({
      type: 'happened',
      name: 'host_key_changed',
      data: {
        host_key_id: made.id,
        asset_id: asset.id,
        asset: asset.name,
        address: seen.address,
        fingerprint,
        accepted: accepted.keys.map((key) => key.fingerprint),
        gateway: terminal.name,
        org_id: asset.org_id,
      },
    })
  return { state, ...accepted }
}

const lockKeysOf = ({ db }: Context, asset: string) =>
  db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`host key of ${asset}`}, 0))`)

/** Accepting a key takes the place of the one accepted before. */
async function decide(ctx: Context, chosen: Known, state: 'accepted' | 'refused'): Promise<void> {
  // Of two who accept different keys at once, the second knows of the first.
  await lockKeysOf(ctx, chosen.asset_id)
  const others =
    state === 'accepted'
      ? await ctx.db
          .select()
          .from(hostKeys)
          .where(
            and(
              ofTarget({ asset: chosen.asset_id, address: chosen.address }),
              eq(hostKeys.state, 'accepted'),
              sql`${hostKeys.id} <> ${chosen.id}`,
            ),
          )
          .for('update')
      : []
  for (const other of others) await put(ctx, other, 'refused')
  await put(ctx, chosen, state)
}

async function put(ctx: Context, before: Known, state: 'accepted' | 'refused'): Promise<void> {
  const change = { state, updated_by: displayOf(callerOf(ctx)).slice(0, 128), date_updated: new Date() }
  await ctx.db.update(hostKeys).set(change).where(eq(hostKeys.id, before.id))
  await ctx.emit({
    type: 'updated',
    resource: HostKey,
    id: before.id,
    before: named(before),
    after: named({ ...before, ...change }),
    secrets: [],
  })
}
