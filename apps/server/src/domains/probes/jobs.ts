/** Tests of assets and accounts, and gathering of facts: ordered here, carried out by gateways (docs/decisions/0020). */
import { serverTexts, translate } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { healCounts } from '../../kernel/counts/counts.ts'
import { execution, type Work } from '../../kernel/executions/index.ts'
import type { Live } from '../../kernel/live.ts'
import { assets, assetsCounted, underNode } from '../assets/index.ts'
import { dispatch, forgetBatches, type Found } from './dispatch.ts'
import { lineOf, storeConnectivity, storeFacts, storeVerified } from './outcomes.ts'
import {
  accountsNamed,
  assetsWhere,
  type Candidate,
  gatewayNamed,
  type LeftOut,
  type Planned,
  planOf,
  planOfGateway,
  type What,
} from './targets.ts'

/** Assets, or all that a node holds. */
const ofAssets = z.object({ assets: z.array(z.guid()).max(1000).optional(), node: z.guid().optional() })
const ofAccounts = z.object({ accounts: z.array(z.guid()).max(1000) })

/** Of one person fewer: who has long ones going keeps nobody else from testing. */
const concurrency = { total: 12, perKey: 3 }
const limits = {
  timeoutSeconds: 6 * 3600,
  concurrency,
  onCrash: 'resume',
  abandoned: forgetBatches,
} as const
/** Tests of so few wait for no long ones, of whomever. */
const mostOfSmall = 20
const smallOf = <T>(is: (input: T) => boolean) => ({ is, concurrency })

interface Probing {
  what: What
  candidates: AsyncGenerator<Candidate[]>
  plan?: (candidate: Candidate) => Planned | LeftOut
  store: (db: Context['db'], found: readonly Found[]) => Promise<void>
  /** It was found well before this attempt. */
  wasWell?: (planned: Planned) => void
}

// eslint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type Counts = { total: number; ok: number; failed: number; unknown: number; left_out: number }

const candidatesOf = (ctx: Context, { assets: ids = [], node }: z.output<typeof ofAssets>, since?: Date) =>
  assetsWhere(
    ctx,
    node === undefined ? sql`${assets.id} = any(${sql.param(ids)}::uuid[])` : underNode(node, false),
    since,
  )
/** What an attempt that did not come to its end has settled is not tried again: a wrong secret would be sent up to three times. */
const settledSince = ({ attempt, begun }: Work<unknown>): Date | undefined =>
  attempt > 1 ? begun : undefined

async function probe(
  ctx: Context,
  { id, attempt, log, progress, signal, user }: Work<unknown>,
  live: Live,
  { what, candidates, store, wasWell, plan: planned = (one) => planOf(one, what, ctx.language) }: Probing,
): Promise<Counts> {
  const { db, language } = ctx
  const say = (key: keyof typeof serverTexts.en, params: Record<string, string | number> = {}) =>
    log(translate(serverTexts, language, key, params))
  const waiting: Planned[] = []
  const counts: Counts = { total: 0, ok: 0, failed: 0, unknown: 0, left_out: 0 }
  let isAllRead = false
  const more = async (atMost: number): Promise<Planned[]> => {
    while (waiting.length < atMost && !isAllRead) {
      const page = await candidates.next()
      if (page.done === true) isAllRead = true
      else for (const candidate of page.value) await plan(planned(candidate), candidate.settled)
    }
    return waiting.splice(0, atMost)
  }
  const plan = async (one: Planned | LeftOut, settled: Candidate['settled']): Promise<void> => {
    if ('why' in one) {
      counts.left_out++
      await say('probe_skipped', { name: one.name, why: one.why })
      return
    }
    counts.total++
    if (settled !== null) {
      counts[settled === 'ok' ? 'ok' : 'failed']++
      if (settled === 'ok') wasWell?.(one)
      return
    }
    if (one.note !== undefined) await say('probe_port_only', { name: one.name, why: one.note })
    waiting.push(one)
  }
  const settle = async (found: readonly Found[]): Promise<void> => {
    await store(db, found)
    for (const one of found) {
      const isOk = one.result?.is_ok ?? null
      if (isOk === null) counts.unknown++
      else if (isOk) counts.ok++
      else counts.failed++
      await log(lineOf(one, what, language))
    }
    progress(counts.ok + counts.failed + counts.unknown, counts.total)
  }
  await dispatch({
    db,
    live,
    execution: id,
    attempt,
    user,
    facts: what === 'facts',
    more,
    settle,
    handedOn: () => say('probe_again'),
    signal,
  })
  await say('probe_summary', { ok: counts.ok, total: counts.total })
  return counts
}

/** Of new assets one test of each person at a time: somebody who tests one does not wait for all that are imported. */
const newAtOnce = { total: 4, perKey: 1 }

/** Of a node nobody knows yet. */
const areFew = ({ assets: ids = [], node }: z.output<typeof ofAssets>) =>
  node === undefined && ids.length <= mostOfSmall

/** The port of its own it is to lead to; that of its SSH unless said. */
const ofGateway = z.object({ gateway: z.guid(), port: z.number().int().optional() })

export type Probes = ReturnType<typeof probesOf>
export const probesOf = (live: Live) => {
  const probing = <T>(
    kind: string,
    input: z.ZodType<T>,
    isSmall: (input: T) => boolean,
    of: (ctx: Context, input: T, since: Date | undefined) => Probing,
  ) =>
    execution({
      ...limits,
      small: smallOf(isSmall),
      kind,
      input,
      run: (ctx, work) => probe(ctx, work, live, of(ctx, work.input, settledSince(work))),
    })
  return {
    testAssets: probing('assets.test-connectivity', ofAssets, areFew, (ctx, input, since) => ({
      what: 'connectivity',
      candidates: candidatesOf(ctx, input, since),
      store: storeConnectivity,
    })),
    testGateway: probing(
      'assets.test-gateway',
      ofGateway,
      () => true,
      (ctx, { gateway, port }) => ({
        what: 'gateway',
        candidates: gatewayAlone(ctx, gateway),
        plan: (candidate) => planOfGateway(candidate, port, ctx.language),
        store: storeConnectivity,
      }),
    ),
    /** What was signed in to is asked what machine it is; nowhere is a wrong secret tried twice. */
    checkNew: execution({
      ...limits,
      concurrency: newAtOnce,
      kind: 'assets.check-new',
      input: ofAssets,
      run: async (ctx, work) => {
        const signedIn: string[] = []
        const tested = await probe(ctx, work, live, {
          what: 'connectivity',
          candidates: candidatesOf(ctx, work.input, settledSince(work)),
          wasWell: ({ gathersFacts, target }) => {
            if (gathersFacts) signedIn.push(target.asset)
          },
          store: async (db, found) => {
            await storeConnectivity(db, found)
            for (const { planned, result } of found)
              if (result?.is_ok === true && planned.gathersFacts) signedIn.push(planned.target.asset)
          },
        })
        if (signedIn.length === 0) return tested
        const gathered = await probe(ctx, work, live, {
          what: 'facts',
          candidates: candidatesOf(ctx, { assets: signedIn }),
          store: storeFacts,
        })
        return { ...tested, gathered: gathered.ok }
      },
    }),
    /** As it is done every hour (kernel/counts). */
    checkAmounts: execution({
      kind: 'assets.check-amounts',
      input: z.object({}),
      timeoutSeconds: 600,
      concurrency: { total: 1 },
      onCrash: 'resume',
      run: async ({ db, language }, { log }) => {
        let wrong = 0
        for (const counted of assetsCounted) wrong += await healCounts(db, counted)
        const key = wrong === 0 ? 'amounts_right' : 'amounts_healed'
        await log(translate(serverTexts, language, key, { count: wrong }))
        return { healed: wrong }
      },
    }),
    gatherFacts: probing('assets.gather-facts', ofAssets, areFew, (ctx, input) => ({
      what: 'facts',
      candidates: candidatesOf(ctx, input),
      store: storeFacts,
    })),
    verifyAccounts: probing(
      'accounts.verify',
      ofAccounts,
      (input) => input.accounts.length <= mostOfSmall,
      (ctx, input, since) => ({
        what: 'account',
        candidates: accountsNamed(ctx, input.accounts, since),
        store: storeVerified,
      }),
    ),
  }
}

async function* gatewayAlone(ctx: Context, id: string): AsyncGenerator<Candidate[]> {
  const gateway = await gatewayNamed(ctx, id)
  if (gateway) yield [gateway]
}
