import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Settings } from '../settings/index.ts'
import { mailServer } from './calls.ts'
import { reminders } from './jobs.ts'
import { tellPeople } from './notices.ts'
import type { Notifications } from './service.ts'
import { siteMessageServed } from './site-messages.ts'
import { SiteSockets } from './site-socket.ts'
import { backends, ownSubscription, seedSubscriptions, systemSubscriptionServed } from './subscriptions.ts'
import { tellOfUnusualPlace } from './unusual-place.ts'

export type { CodePurpose, Codes } from './codes.ts'
export { createNotifications, type Notifications, type Send } from './service.ts'

export function domain(
  ground: Pick<Ground, 'database' | 'live' | 'log'>,
  notifications: Notifications,
  settings: Settings,
): Domain {
  const { outboxes } = notifications
  const sockets = new SiteSockets(ground)
  return {
    name: 'notifications',
    resources: [siteMessageServed(ground.live), systemSubscriptionServed],
    services: [mailServer(ground, settings), backends, ownSubscription],
    sockets: [sockets.route],
    seed: () => seedSubscriptions(ground.database.db),
    executions: reminders(notifications),
    onRecord: tellPeople(notifications),
    onCommitted: tellOfUnusualPlace(notifications),
    start: () => {
      const stopSockets = sockets.start()
      const stops = outboxes.map((outbox) => outbox.start())
      return Promise.resolve(async () => {
        stopSockets()
        await Promise.all(stops.map((stop) => stop()))
      })
    },
  }
}
