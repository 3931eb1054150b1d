/** Host keys of targets and of gateways: kept here, so that all gateways know the same machines and show one face. */
import { createHash } from 'node:crypto'
import { HostKey } from '@sallyport/contract'
import {
  type AcceptedHostKeys,
  hostKeyTargetSchema,
  type HostKeyVerdict,
  ownHostKeysSchema,
  type SeenHostKey,
  seenHostKeySchema,
} from '@sallyport/contract/gateway/host-keys'
import { and, desc, eq, sql } from 'drizzle-orm'
import { callerOf, type Context, displayOf } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { route, type Route } from '../../kernel/http/route.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { identifiedBy, missing, presentFor, storedRow } from '../../kernel/resource/read.ts'
import { org, system } from '../../kernel/resource/rows.ts'
import { sharedKey } from '../../kernel/secrets/shared-keys.ts'
import { assetRelation, assets } from '../assets/index.ts'
import { callingTerminal } from './components.ts'
import type { TerminalServices } from './services.ts'
import { hostKeys, terminals } from './tables.ts'

/** A hostile machine may show a new key each time: so many of one address are kept for a decision. */
const undecidedMax = 10

export type HostKeyRow = typeof hostKeys.$inferSelect

export const hostKeyServed: Served = serve(HostKey, {
  table: hostKeys,
  rows: org(hostKeys.org_id),
  relations: { asset: assetRelation, terminal: { table: terminals, rows: system } },
})

/** The books know a key by where and what it is. */
const named = (row: HostKeyRow) => ({ ...row, name: `${row.address} ${row.fingerprint}` })

const ofTarget = ({ asset, address }: { asset: string; address: string }) =>
  and(eq(hostKeys.asset_id, asset), eq(hostKeys.address, address))

async function acceptedKeys(
  ctx: Context,
  target: { asset: string; address: string },
): Promise<AcceptedHostKeys> {
  const keys = await ctx.db
    .select({ algorithm: hostKeys.algorithm, key: hostKeys.key, fingerprint: hostKeys.fingerprint })
    .from(hostKeys)
    .where(and(ofTarget(target), eq(hostKeys.state, 'accepted')))
  return { keys }
}

/** `SHA256:…`, as OpenSSH shows it. @throws ValidationError when the key says it is of another algorithm. */
function fingerprintOf({ algorithm, key }: SeenHostKey): string {
  const bytes = Buffer.from(key, 'base64')
  const length = bytes.length >= 4 ? bytes.readUInt32BE(0) : 0
  if (bytes.toString('latin1', 4, 4 + Math.min(length, 64)) !== algorithm)
    throw invalid('key', 'host_key_differs')
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`
}

/**
 * Keeps what a target showed. The very first key of an address is accepted, of several at once the first; any later one waits for a
 * decision.
 */
async function takeSeen(ctx: Context, seen: SeenHostKey): Promise<HostKeyVerdict> {
  const terminal = await callingTerminal(ctx)
  const fingerprint = fingerprintOf(seen)
  const [asset] = await ctx.db
    .select({ id: assets.id, name: assets.name, org_id: assets.org_id })
    .from(assets)
    .where(eq(assets.id, seen.asset))
    // Of several who bring a first key at once, one is first.
    .for('no key update')
  if (asset === undefined) throw notFound((language) => ({ en: 'Asset', zh: '资产', ja: '資産' })[language])
  const rows = await ctx.db.select().from(hostKeys).where(ofTarget(seen)).orderBy(desc(hostKeys.date_created))
  const known = rows.find((row) => row.fingerprint === fingerprint)
  if (known !== undefined) return { state: known.state, ...(await acceptedKeys(ctx, seen)) }
  const [oldest] = rows.filter(({ state }) => state === 'pending').slice(undecidedMax - 1)
  if (oldest !== undefined) await ctx.db.delete(hostKeys).where(eq(hostKeys.id, oldest.id))
  const state = rows.length === 0 ? 'accepted' : 'pending'
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

/** An administrator's word. Accepting a key takes the place of the one accepted before. */
async function decide(ctx: Context, id: string, state: 'accepted' | 'refused') {
  const row = await storedRow(hostKeyServed, ctx, identifiedBy(hostKeyServed, id), { lock: true })
  if (row === undefined) throw missing(hostKeyServed)
  const chosen = row as unknown as HostKeyRow
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
  const after = await storedRow(hostKeyServed, ctx, eq(hostKeys.id, chosen.id))
  return after && presentFor(hostKeyServed, ctx, after, 'detail')
}

async function put(ctx: Context, before: HostKeyRow, state: 'accepted' | 'refused'): Promise<void> {
  if (before.state === state) return
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

const base = '/api/v1/terminal/host-keys/'
const changing = { permission: 'terminal.change_hostkey' }

export const hostKeyRoutes = ({ secrets }: Pick<TerminalServices, 'secrets'>): Route[] => [
  route({
    method: 'GET',
    path: `${base}accepted/`,
    access: 'component',
    query: hostKeyTargetSchema,
    handler: async (ctx, { query }) => {
      await callingTerminal(ctx)
      return await acceptedKeys(ctx, query)
    },
  }),
  route({
    method: 'POST',
    path: `${base}seen/`,
    access: 'component',
    transaction: true,
    body: seenHostKeySchema,
    handler: (ctx, { body }) => takeSeen(ctx, body),
  }),
  route({
    method: 'POST',
    path: `${base}own/`,
    access: 'component',
    body: ownHostKeysSchema,
    handler: async (ctx, { body }) => {
      await callingTerminal(ctx)
      const offered = { publicKey: '', privateKey: JSON.stringify(body.keys) }
      const kept = await sharedKey(ctx.db, secrets, 'gateway_host_keys', () => Promise.resolve(offered))
      return ownHostKeysSchema.parse({ keys: JSON.parse(kept.privateKey) })
    },
  }),
  ...(['accept', 'refuse'] as const).map((word) =>
    route({
      method: 'POST',
      path: `${base}:id/${word}/`,
      access: changing,
      transaction: true,
      handler: (ctx, { params }) =>
        decide(ctx, params['id'] ?? '', word === 'accept' ? 'accepted' : 'refused'),
    }),
  ),
]
