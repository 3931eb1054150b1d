/** Hands targets to living gateways, a few batches at a time, and gathers what they tell. */
import { batchMax, type ProbeReason, type ProbeResult } from '@sallyport/contract/gateway/probes'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Executor, withTransaction } from '../../kernel/database/index.ts'
import { refused } from '../../kernel/errors.ts'
import type { Live } from '../../kernel/live.ts'
import { Wakeups } from '../../kernel/wakeups.ts'
import { livingGateways, orderProbe, terminalIsAlive, terminals } from '../terminal/index.ts'
import { probeBatches } from './tables.ts'
import type { Planned } from './targets.ts'

/** On which gateways' reports are told to the worker that waits for them. */
export const probeChannel = 'probe'
export const probeEvent = z.object({ execution: z.string() })

const batchesPerGateway = 2
/** A gateway tells of a batch every two seconds; one it says nothing of for so long goes to another. */
const silenceMs = 20_000
/** That often a target is handed out: what takes gateways down does not take all of them down. */
const triesMax = 2
/** One that was there may come back, as after an update, and so may all of them where this server has just begun anew. */
const patienceMs = 10_000
/** At the first attempt, where none was there: whoever waits hears it soon. */
const firstPatienceMs = 3000
const lookAgainMs = 1000

export interface Found {
  planned: Planned
  /** Undefined where nobody came to know. */
  result: ProbeResult | undefined
}
interface Item {
  planned: Planned
  tries: number
}
interface Batch {
  gateway: string
  items: readonly Item[]
  seen: Set<number>
}

export interface Dispatching {
  db: Executor
  live: Live
  execution: string
  /** 1 at the first. */
  attempt: number
  /** Who ordered it. */
  user: string
  facts: boolean
  /** More of what is to be tried; undefined when that was all. */
  more: (atMost: number) => Promise<readonly Planned[] | undefined>
  settle: (found: readonly Found[]) => Promise<void>
  /** A batch goes to another gateway. */
  handedOn: () => Promise<void>
  signal: AbortSignal
}

export const gatewayLost: ProbeReason = { code: 'target_gateway_lost', params: {} }

/** Gateways that still work on it hear that nobody wants to know. */
export async function forgetBatches(db: Executor, execution: string): Promise<void> {
  await db.delete(probeBatches).where(eq(probeBatches.execution_id, execution))
}

/** @throws ApiError where there is no gateway. */
export async function dispatch(work: Dispatching): Promise<void> {
  const { db, live, execution, attempt, signal, settle } = work
  const isMine = (payload: unknown) => probeEvent.safeParse(payload).data?.execution === execution
  const wake = new Wakeups(live, probeChannel, isMine)
  const open = new Map<string, Batch>()
  const again: Item[] = []
  let seenGatewayAt = performance.now()
  let patience = attempt === 1 ? firstPatienceMs : patienceMs
  const next = async (): Promise<readonly Item[]> => {
    if (again.length > 0) return again.splice(0, batchMax)
    return ((await work.more(batchMax)) ?? []).map((planned) => ({ planned, tries: 0 }))
  }
  try {
    // Of a worker that was stopped.
    await forgetBatches(db, execution)
    for (;;) {
      signal.throwIfAborted()
      wake.expect()
      const gateways = await livingGateways(db)
      if (gateways.length > 0) {
        seenGatewayAt = performance.now()
        patience = patienceMs
      }
      let isAll = false
      for (const gateway of roomFor(gateways, open)) {
        const items = await next()
        isAll = items.length === 0
        if (isAll) break
        open.set(await handOut(work, gateway, items), { gateway: gateway.id, items, seen: new Set() })
      }
      if (open.size === 0 && isAll) return
      if (open.size === 0 && performance.now() - seenGatewayAt >= patience) {
        await settle(again.splice(0).map(({ planned }) => ({ planned, result: undefined })))
        throw refused('probe_no_gateway')
      }
      await wake.heard(lookAgainMs, signal)
      signal.throwIfAborted()
      const { found, left } = await collect(db, execution, open)
      const spent = left.filter(({ tries }) => tries >= triesMax)
      const retried = left.filter(({ tries }) => tries < triesMax)
      again.push(...retried)
      const all = [...found, ...spent.map(({ planned }) => ({ planned, result: undefined }))]
      if (all.length > 0) await settle(all)
      if (retried.length > 0) await work.handedOn()
    }
  } finally {
    wake.end()
    await forgetBatches(db, execution)
  }
}

type Gateway = Awaited<ReturnType<typeof livingGateways>>[number]

/** Each gateway as often as it takes another batch, the idlest first. */
function roomFor(gateways: readonly Gateway[], open: ReadonlyMap<string, Batch>): Gateway[] {
  const held = (id: string) => [...open.values()].filter(({ gateway }) => gateway === id).length
  return Array.from({ length: batchesPerGateway }, (_, round) =>
    gateways.filter(({ id }) => held(id) <= round),
  ).flat()
}

async function handOut(
  { db, live, execution, user, facts }: Dispatching,
  gateway: Gateway,
  items: readonly Item[],
): Promise<string> {
  return await withTransaction(db, async (tx) => {
    const [made] = await tx
      .insert(probeBatches)
      .values({
        execution_id: execution,
        terminal_id: gateway.id,
        boot_id: gateway.boot_id,
        user,
        facts,
        targets: items.map(({ planned }) => planned.target),
      })
      .returning({ id: probeBatches.id })
    if (made === undefined) throw new Error('a batch was not stored')
    await orderProbe(tx, live, gateway.id, made.id)
    return made.id
  })
}

/** What was told since, and what gateways that were lost have left. */
async function collect(
  db: Executor,
  execution: string,
  open: Map<string, Batch>,
): Promise<{ found: Found[]; left: Item[] }> {
  const rows = await db
    .select({
      id: probeBatches.id,
      results: probeBatches.results,
      is_finished: probeBatches.is_finished,
      is_lost: sql<boolean>`(not ${terminalIsAlive} or ${terminals.boot_id} is distinct from ${probeBatches.boot_id}
        or greatest(${probeBatches.date_created}, ${probeBatches.date_heard}) < now() - ${silenceMs} * interval '1 millisecond')`,
    })
    .from(probeBatches)
    .innerJoin(terminals, eq(terminals.id, probeBatches.terminal_id))
    .where(eq(probeBatches.execution_id, execution))
  const found: Found[] = []
  const left: Item[] = []
  const told = new Map(rows.map((row) => [row.id, row]))
  for (const [id, batch] of open) {
    const row = told.get(id)
    for (const result of row?.results ?? []) {
      const item = batch.items[result.at]
      if (item === undefined || batch.seen.has(result.at)) continue
      batch.seen.add(result.at)
      found.push({ planned: item.planned, result })
    }
    if (row !== undefined && !row.is_finished && !row.is_lost) continue
    open.delete(id)
    for (const [at, { planned, tries }] of batch.items.entries())
      if (!batch.seen.has(at)) left.push({ planned, tries: tries + 1 })
    await db
      .delete(probeBatches)
      .where(and(eq(probeBatches.id, id), eq(probeBatches.execution_id, execution)))
  }
  return { found, left }
}
