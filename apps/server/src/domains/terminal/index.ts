import { modelOf, User } from '@sallyport/contract'
import { displayOf } from '../../kernel/context.ts'
import type { Domain } from '../../kernel/domain.ts'
import { commandReviews } from './command-reviews.ts'
import { commandServed, commandStorages } from './commands.ts'
import { endpoints } from './endpoints.ts'
import { hostKeyServed } from './host-keys.ts'
import { cleanSessions } from './jobs.ts'
import { Links } from './links.ts'
import { TerminalProxy } from './proxy.ts'
import { recordingRoutes } from './recording.ts'
import { replayRoutes } from './replay.ts'
import type { TerminalServices } from './services.ts'
import { mySessionServed, sessionServed } from './sessions.ts'
import { Statements } from './statements.ts'
import { endOfLeavers, endOfSignIns, endOfTheDisabled, startSweeping } from './sweep.ts'
import { orderDisconnect, taskServed } from './tasks.ts'
import { ticketSessions } from './ticket-sessions.ts'
import { components, gatewayHealth, registration, statusServed, terminalServed } from './terminals.ts'

export { callingTerminal, isAlive as terminalIsAlive, livingGateways } from './components.ts'
export { connectMethods, defaultEndpoint } from './endpoints.ts'
export { addressAt } from './host-keys.ts'
export type { TerminalServices } from './services.ts'
export { hostKeys, terminals } from './tables.ts'
export { orderProbe, orderReview } from './tasks.ts'

export function domain(services: TerminalServices): Domain {
  const links = new Links(services)
  const statements = new Statements(services)
  const proxy = new TerminalProxy(services, statements)
  const session = sessionServed(services)
  const command = commandServed(services)
  return {
    name: 'terminal',
    executions: [cleanSessions(services)],
    resources: [
      session,
      mySessionServed,
      command,
      terminalServed(services, { links, statements, session }),
      taskServed(services),
      statusServed(links),
      hostKeyServed(services),
    ],
    services: [
      registration(services),
      components,
      endpoints(services),
      commandStorages(command),
      commandReviews(services),
      ticketSessions(session),
    ],
    routes: [...recordingRoutes(services), ...replayRoutes(services, session)],
    sockets: [links.route, proxy.route],
    health: () => gatewayHealth(services.database.db),
    start: () => {
      const stopLinks = links.start()
      const stopSweeping = startSweeping(services)
      return Promise.resolve(async () => {
        stopLinks()
        proxy.stop()
        await stopSweeping()
      })
    },
    // Ordered with the change itself: what the person begins after it, on a new sign-in, goes on.
    onRecord: async (ctx, events) => {
      const by = ctx.identity ? displayOf(ctx.identity) : 'System'
      const changed = events.flatMap((event) =>
        event.type !== 'happened' && event.type !== 'created' && modelOf(event.resource) === modelOf(User)
          ? [event.id]
          : [],
      )
      if (changed.length > 0) await endOfTheDisabled(ctx.db, services.live, { userIds: changed, by })
      for (const event of events) {
        if (event.type !== 'happened') continue
        if (event.name === 'users_left_org') {
          const { user_ids: userIds, org_id: orgId } = event.data
          await endOfLeavers(ctx.db, services.live, { userIds, orgId, by })
        } else if (event.name === 'sign_ins_ended') {
          const { user_id, kept_session_id } = event.data
          const isBrowserKept = kept_session_id !== undefined
          await endOfSignIns(ctx.db, services.live, user_id, { isBrowserKept, by })
          await orderDisconnect(ctx.db, services.live, user_id, by)
        }
      }
    },
  }
}
