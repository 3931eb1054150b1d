/** What came of tests: on the assets and accounts they were about, and in the log. */
import { find, labels, type Language, serverTexts, translate } from '@sallyport/contract'
import { type ProbeReason, type ProbeResult, reasonSentence } from '@sallyport/contract/gateway/probes'
import { sql } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import { accounts } from '../accounts/index.ts'
import { assets } from '../assets/index.ts'
import { type Found, gatewayLost } from './dispatch.ts'
import type { What } from './targets.ts'

type Table = typeof assets | typeof accounts
interface Outcome {
  id: string
  value: 'ok' | 'err' | '-'
  reason: ProbeReason | null
}

/** What is said where no gateway told anything. */
const unheard: ProbeResult = { at: 0, is_ok: null, reason: gatewayLost, took_ms: 0, facts: null }

/** In the order of their ids, as others that write the same rows do. */
async function store(db: Executor, table: Table, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return
  // What nobody came to know says nothing about what is known from before.
  await db.execute(
    sql`with item as (select * from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as item(id uuid, value text, reason jsonb)),
      held as (select ${table.id} as id from ${table} where ${table.id} in (select id from item) order by ${table.id} for no key update)
      update ${table} set connectivity = case when item.value = '-' then ${table.connectivity} else item.value end,
        connectivity_reason = item.reason,
        date_verified = case when item.value = '-' then ${table.date_verified} else now() end
      from item join held on held.id = item.id
      where ${table.id} = item.id and (item.value <> '-' or ${table.connectivity} = '-')`,
  )
}

function outcomeOf(id: string, { result: { is_ok: isOk, reason } = unheard }: Found): Outcome {
  if (isOk === null) return { id, value: '-', reason }
  return { id, value: isOk ? 'ok' : 'err', reason }
}

const accountOutcomes = (found: readonly Found[]) =>
  found.flatMap((one) => {
    const { account } = one.planned.target
    return account === null ? [] : [outcomeOf(account, one)]
  })

/** Of assets, and of the accounts that were used. */
export async function storeConnectivity(db: Executor, found: readonly Found[]): Promise<void> {
  await store(
    db,
    assets,
    found.map((one) => outcomeOf(one.planned.target.asset, one)),
  )
  await store(db, accounts, accountOutcomes(found))
}

export const storeVerified = (db: Executor, found: readonly Found[]): Promise<void> =>
  store(db, accounts, accountOutcomes(found))

/** Takes the place of what was known; in the same order. */
export async function storeFacts(db: Executor, found: readonly Found[]): Promise<void> {
  const told = found.flatMap(({ planned, result }) =>
    result?.facts ? [{ id: planned.target.asset, info: result.facts }] : [],
  )
  if (told.length === 0) return
  await db.execute(
    sql`with item as (select * from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as item(id uuid, info jsonb)),
      held as (select ${assets.id} as id from ${assets} where ${assets.id} in (select id from item) order by ${assets.id} for no key update)
      update ${assets} set info = item.info from item join held on held.id = item.id where ${assets.id} = item.id`,
  )
}

/** Each with what it is called. */
const factsIn = (facts: Readonly<Record<string, string>>, language: Language) =>
  Object.entries(facts)
    .map(([name, value]) => `${find(labels, language, name) ?? name}: ${value}`)
    .join(', ')

/** The line of the log that tells of one of them. */
export function lineOf(
  { planned: { name, account, target }, result = unheard }: Found,
  what: What,
  language: Language,
): string {
  const say = (key: keyof typeof serverTexts.en, params: Record<string, string | number> = {}) =>
    translate(serverTexts, language, key, { name, account, ...params })
  const { took_ms: ms, reason, is_ok: isOk, facts } = result
  const why = { reason: reason === null ? '' : reasonSentence(reason, language) }
  if (isOk === null) return say('probe_unknown', why)
  if (what === 'account') return isOk ? say('probe_verified', { ms }) : say('probe_refuted', why)
  if (what === 'facts')
    return facts === null
      ? say('probe_not_gathered', why)
      : say('probe_gathered', { facts: factsIn(facts, language) })
  if (!isOk) return say('probe_failed', why)
  if (target.leads_to !== undefined) return say('probe_leads_on', { ms, port: target.leads_to })
  return target.account === null ? say('probe_reached', { ms }) : say('probe_signed_in', { ms })
}
