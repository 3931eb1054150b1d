/** Puts the server together: the ground, the domains on it, and the HTTP server in front. */
import type { FastifyInstance } from 'fastify'
import type { Domain } from './kernel/domain.ts'
import { Events } from './kernel/events.ts'
import type { Ground } from './kernel/ground.ts'
import type { Gatekeeper } from './kernel/http/access.ts'
import { buildServer } from './kernel/http/server.ts'

export interface Server {
  http: FastifyInstance
  /** Ends what runs beside requests, then the HTTP server; what was committed is followed, up to 2 s. */
  stop(): Promise<void>
}

const settleTimeoutMs = 2000

/** Seeds, starts and serves these domains. `gatekeeper` is what the domain of authentication gives. */
export async function compose(
  ground: Ground,
  domains: readonly Domain[],
  gatekeeper: Gatekeeper,
  options: { consoleDir?: string | undefined } = {},
): Promise<Server> {
  for (const domain of domains) await domain.seed?.()
  const stops: (() => Promise<void>)[] = []
  const events = new Events({ ...ground, settings: () => gatekeeper.settings() })
  const http = await buildServer({ ...ground, events, gatekeeper }, domains, options)
  for (const domain of domains) {
    const stop = await domain.start?.()
    if (stop) stops.push(stop)
  }
  return {
    http,
    stop: async () => {
      for (const stop of stops.toReversed()) await stop()
      await http.close()
      await events.settle(settleTimeoutMs)
    },
  }
}
