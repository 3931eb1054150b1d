import type { ProbeResult, ProbeTarget } from '@sallyport/contract/gateway/probes'
import type { Grant } from '@sallyport/contract/gateway/grants'
import { printable } from '@sallyport/contract/messages/terminal-text'
import { isServerTrouble } from '../api/errors.ts'
import type { Dialer } from '../targets/dialer.ts'
import { TargetError, targetError } from '../targets/ssh/errors.ts'
import type { HostKeys } from '../targets/ssh/host-keys.ts'
import { UnusableGatewayError } from '../targets/zones/errors.ts'
import type { Zones } from '../targets/zones/zones.ts'
import { probeGateway } from './gateway.ts'
import { probeMysql } from './databases/mysql.ts'
import { probePostgres } from './databases/postgresql.ts'
import { probeRedis } from './databases/redis.ts'
import { probeHttp } from './http.ts'
import { probeSsh } from './ssh.ts'
import { dialed, type Way } from './way.ts'

/** Of a whole try; gathering facts takes longer, and so does a way through gateways, which are tried in turn. */
const timeoutMs = 10_000
const longTimeoutMs = 30_000
const paramMax = 300

export interface Trying {
  /** Where host keys are told to. */
  api: HostKeys
  /** Is told what was wrong with the server, where that is why nobody came to know. */
  onTrouble: (error: Error) => void
  facts: boolean
  /** The ways into network zones, and those the targets are in. */
  ways: Zones
  zones: readonly Pick<Grant, 'domain' | 'gateways'>[]
  signal: AbortSignal
}

/** Tries one target. Never rejects: what goes wrong is what came of it. */
export async function probe(
  target: ProbeTarget,
  { api, onTrouble, facts, ways, zones, signal }: Trying,
): Promise<ProbeResult> {
  const begunMs = performance.now()
  const limitMs = facts || target.domain !== null ? longTimeoutMs : timeoutMs
  const late = AbortSignal.timeout(limitMs)
  const where = target.host_keys.address
  const dialer = dialerOf(target, ways, zones)
  const way: Way = { dialer, where, timeoutMs: limitMs, signal: AbortSignal.any([signal, late]) }
  const result = (changes: Pick<ProbeResult, 'is_ok' | 'reason' | 'facts'>): ProbeResult => ({
    at: target.at,
    took_ms: Math.round(performance.now() - begunMs),
    ...changes,
  })
  try {
    return result({ is_ok: true, reason: null, facts: await tried(target, way, api, facts) })
  } catch (error) {
    if (isServerTrouble(error)) {
      onTrouble(error)
      return result({ is_ok: null, reason: { code: 'target_server_away', params: {} }, facts: null })
    }
    const isLate = late.aborted && !(error instanceof TargetError)
    const failure = isLate
      ? new TargetError('target_no_answer', `${where} does not answer`, { where }, error)
      : targetError(error, where)
    return result({ is_ok: false, reason: reasonOf(failure), facts: null })
  }
}

/** Straight, or through the gateways of its zone; a zone that is not told has none that leads anywhere. */
function dialerOf(
  { domain: id, host_keys: { address } }: ProbeTarget,
  ways: Zones,
  zones: Trying['zones'],
): Dialer {
  const known = id === null ? undefined : zones.find(({ domain }) => domain?.id === id)
  const domain = id === null ? null : { id, name: known?.domain?.name ?? id }
  return ways.dialerOf({ domain, gateways: known?.gateways ?? [] }, address)
}

function reasonOf(failure: TargetError): NonNullable<ProbeResult['reason']> {
  const params = Object.entries(failure.params).map(([name, value]) => [name, shown(value)])
  const cause = failure instanceof UnusableGatewayError ? reasonOf(failure.why) : undefined
  return { code: failure.code, params: Object.fromEntries(params), ...(cause && { cause }) }
}

const shown = (text: string) => printable(text).slice(0, paramMax).toWellFormed().replaceAll('\uFFFD', '')

async function tried(
  target: ProbeTarget,
  way: Way,
  api: HostKeys,
  withFacts: boolean,
): Promise<ProbeResult['facts']> {
  const { method, asset, port, account } = target
  if (method === 'gateway' && account !== null) {
    await probeGateway({ ...target, account }, way, api)
    return null
  }
  if (method === 'ssh' && account !== null)
    return (await probeSsh({ ...target, account }, way, api, withFacts)) ?? null
  if (method === 'http') await probeHttp(asset.address, way)
  else if (account === null || method === 'port') (await dialed(way, asset.address, port)).destroy()
  else await databases[method as keyof typeof databases]({ ...asset, port, ...account }, way)
  return null
}

const databases = { postgresql: probePostgres, mysql: probeMysql, redis: probeRedis }
