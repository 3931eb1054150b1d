import { displayOf } from '../../kernel/context.ts'
import type { Domain } from '../../kernel/domain.ts'
import { registerClean } from './clean.ts'
import { commandRoutes, commandServed } from './commands.ts'
import { endpointRoutes } from './endpoints.ts'
import { hostKeyRoutes, hostKeyServed } from './host-keys.ts'
import { Links } from './links.ts'
import { TerminalProxy } from './proxy.ts'
import { recordingRoutes } from './recording.ts'
import { replayRoutes } from './replay.ts'
import type { TerminalServices } from './services.ts'
import { mySessionServed, sessionRoutes, sessionServed } from './sessions.ts'
import { Statements } from './statements.ts'
import { endOfLeavers, endOfSignIns, endOfTheDisabled, startSweeping } from './sweep.ts'
import { taskRoutes, taskServed } from './tasks.ts'
import { gatewayHealth, statusServed, terminalRoutes, terminalServed } from './terminals.ts'

export { type ConnectMethod, connectMethods, defaultEndpoint } from './endpoints.ts'
export type { TerminalServices } from './services.ts'

export function domain(services: TerminalServices): Domain {
  registerClean(services.jobs, services)
  const links = new Links(services)
  const statements = new Statements(services)
  const proxy = new TerminalProxy(services, statements)
  return {
    name: 'terminal',
    resources: [
      sessionServed,
      mySessionServed,
      commandServed,
      terminalServed,
      taskServed,
      statusServed,
      hostKeyServed,
    ],
    routes: [
      ...sessionRoutes(services),
      ...recordingRoutes(services),
      ...replayRoutes(services),
      ...commandRoutes,
      ...hostKeyRoutes(services),
      ...taskRoutes(services.live),
      ...terminalRoutes(services, links, statements),
      ...endpointRoutes(services),
    ],
    sockets: [links.route, proxy.route],
    health: () => gatewayHealth(services.database.db),
    start: () => {
      const stopLinks = links.start()
      const stopProxy = proxy.start()
      const stopSweeping = startSweeping(services)
      return Promise.resolve(async () => {
        stopLinks()
        stopProxy()
        await stopSweeping()
      })
    },
    // Ordered with the change itself: what the person begins after it, on a new sign-in, goes on.
    onRecord: async (ctx, events) => {
      const by = ctx.identity ? displayOf(ctx.identity) : 'System'
      for (const event of events) {
        if (event.type !== 'happened' || event.name !== 'sign_ins_ended') continue
        const { user_id, kept_session_id } = event.data
        const isBrowserKept = kept_session_id !== undefined
        await endOfSignIns(ctx.db, services.live, user_id, { isBrowserKept, by })
      }
    },
    onCommitted: async (_ctx, event) => {
      if (event.type === 'happened') {
        if (event.name === 'users_left_org')
          await endOfLeavers(services, event.data.user_ids, event.data.org_id)
        else if (event.name === 'sign_ins_ended') {
          const { user_id, kept_session_id } = event.data
          await proxy.endOf(user_id, kept_session_id)
        }
      } else if (
        event.type !== 'created' &&
        event.resource.model === 'user' &&
        event.resource.app === 'users'
      )
        await endOfTheDisabled(services, event.id)
    },
  }
}
