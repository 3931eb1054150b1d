import type { ProbeResult, ProbeTarget } from '@sallyport/contract/gateway/probes'
import { printable } from '@sallyport/contract/messages/terminal-text'
import { direct } from '../targets/dialer.ts'
import { TargetError, targetError } from '../targets/ssh/errors.ts'
import type { HostKeys } from '../targets/ssh/host-keys.ts'
import { probeMysql } from './databases/mysql.ts'
import { probePostgres } from './databases/postgresql.ts'
import { probeRedis } from './databases/redis.ts'
import { probeHttp } from './http.ts'
import { probeSsh } from './ssh.ts'
import { dialed, type Way } from './way.ts'

/** Of a whole try; gathering facts takes longer. */
const timeoutMs = 10_000
const factsTimeoutMs = 30_000
const paramMax = 300

export interface Trying {
  /** Where host keys are told to. */
  api: HostKeys
  facts: boolean
  signal: AbortSignal
}

/** Tries one target. Never rejects: what goes wrong is what came of it. */
export async function probe(target: ProbeTarget, { api, facts, signal }: Trying): Promise<ProbeResult> {
  const begunMs = performance.now()
  const limitMs = facts ? factsTimeoutMs : timeoutMs
  const late = AbortSignal.timeout(limitMs)
  const where = target.host_keys.address
  const way: Way = { dialer: direct, where, timeoutMs: limitMs, signal: AbortSignal.any([signal, late]) }
  const result = (changes: Pick<ProbeResult, 'is_ok' | 'reason' | 'facts'>): ProbeResult => ({
    at: target.at,
    took_ms: Math.round(performance.now() - begunMs),
    ...changes,
  })
  try {
    return result({ is_ok: true, reason: null, facts: await tried(target, way, api, facts) })
  } catch (error) {
    const isLate = late.aborted && !(error instanceof TargetError)
    const failure = isLate
      ? new TargetError('target_no_answer', `${where} does not answer`, { where }, error)
      : targetError(error, where)
    const params = Object.entries(failure.params).map(([name, value]) => [name, shown(value)])
    return result({
      is_ok: false,
      reason: { code: failure.code, params: Object.fromEntries(params) },
      facts: null,
    })
  }
}

const shown = (text: string) => printable(text).slice(0, paramMax).toWellFormed().replaceAll('\uFFFD', '')

async function tried(
  target: ProbeTarget,
  way: Way,
  api: HostKeys,
  withFacts: boolean,
): Promise<ProbeResult['facts']> {
  const { method, asset, port, account } = target
  if (method === 'ssh' && account !== null)
    return (await probeSsh({ ...target, account }, way, api, withFacts)) ?? null
  if (method === 'http') await probeHttp(asset.address, way)
  else if (account === null || method === 'port') (await dialed(way, asset.address, port)).destroy()
  else await databases[method as Exclude<typeof method, 'ssh'>]({ ...asset, port, ...account }, way)
  return null
}

const databases = { postgresql: probePostgres, mysql: probeMysql, redis: probeRedis }
