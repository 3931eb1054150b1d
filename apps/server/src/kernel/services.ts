import type { Events } from './events.ts'
import type { Ground } from './ground.ts'
import type { Gatekeeper } from './http/access.ts'

/** What serving requests takes. */
export interface Services extends Pick<Ground, 'log' | 'database' | 'secrets'> {
  events: Events
  gatekeeper: Gatekeeper
}
