/** Puts the server together: the ground, the domains on it, and the HTTP server in front. */
import { defaultOrgId, languageOf, rootOrgId } from '@sallyport/contract'
import type { FastifyInstance } from 'fastify'
import { createContext } from './kernel/context.ts'
import type { Counted } from './kernel/counts/counts.ts'
import { keepCounts } from './kernel/counts/keeping.ts'
import type { Domain } from './kernel/domain.ts'
import { Events } from './kernel/events.ts'
import type { ContextFor } from './kernel/executions/worker.ts'
import type { Ground } from './kernel/ground.ts'
import type { Gatekeeper } from './kernel/http/access.ts'
import { partsOf } from './kernel/http/health.ts'
import { buildServer } from './kernel/http/server.ts'

export interface Server {
  http: FastifyInstance
  /** Ends what runs beside requests, then the HTTP server; what was committed is followed, up to 2 s. */
  stop(): Promise<void>
}

const settleTimeoutMs = 2000
const workStopTimeoutMs = 3000

/** Seeds, starts and serves these domains, and with `work` does what they have to do beside requests. `gatekeeper` is authentication's. */
export async function compose(
  ground: Ground,
  domains: readonly Domain[],
  gatekeeper: Gatekeeper,
  options: { consoleDir?: string | undefined; work?: boolean } = {},
): Promise<Server> {
  for (const domain of domains) await domain.seed?.()
  const stops: (() => Promise<void>)[] = []
  const events = new Events({ ...ground, settings: () => gatekeeper.settings() })
  const http = await buildServer({ ...ground, events, gatekeeper }, domains, {
    consoleDir: options.consoleDir,
    health: partsOf(ground),
  })
  for (const domain of domains) {
    const stop = await domain.start?.()
    if (stop) stops.push(stop)
  }
  for (const execution of domains.flatMap((domain) => domain.executions ?? []))
    ground.executions.register(execution)
  if (options.work) {
    ground.executions.work(contextsFor(ground, events, gatekeeper))
    stops.push(keepCounts(ground, countedBy(domains)))
  }
  return {
    http,
    stop: async () => {
      await ground.executions.stop(workStopTimeoutMs)
      for (const stop of stops.toReversed()) await stop()
      await http.close()
      await events.settle(settleTimeoutMs)
    },
  }
}

/** Every table whose counts are kept. */
export function countedBy(domains: readonly Domain[]): Counted[] {
  const ofResources = domains
    .flatMap(({ resources = [] }) => resources)
    .flatMap(({ binding: { table, counts } }) => (counts ? [{ table, counts }] : []))
  const all = [...ofResources, ...domains.flatMap(({ counted = [] }) => counted)]
  return [...new Map(all.map((counted) => [counted.counts, counted])).values()]
}

/** What executions are done with: nobody's context, in their organization, with the settings of that moment. */
const contextsFor =
  (ground: Ground, events: Events, gatekeeper: Gatekeeper): ContextFor =>
  async ({ org_id, language: asked }) => {
    const language = languageOf(asked) ?? 'en'
    const settings = await gatekeeper.settings()
    return createContext(events, {
      db: ground.database.db,
      identity: undefined,
      org: {
        id: org_id,
        name: gatekeeper.orgName(org_id, language),
        is_root: org_id === rootOrgId,
        is_default: org_id === defaultOrgId,
      },
      language,
      zone: 'UTC',
      remoteAddr: '',
      origin: '',
      settings,
      hasLicence: gatekeeper.hasLicence(settings),
      can: () => false,
      orgName: (id) => gatekeeper.orgName(id, language),
    })
  }
