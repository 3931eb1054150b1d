import type { Ground } from '../../kernel/ground.ts'
import type { Registrar } from '../authentication/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Rbac } from '../rbac/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Tickets } from '../tickets/index.ts'

/** What this domain works with. */
export interface TerminalServices extends Pick<
  Ground,
  'config' | 'database' | 'live' | 'log' | 'secrets' | 'storage'
> {
  rbac: Rbac
  settings: Settings
  tickets: Tickets
  notifications: Notifications
  /** Gives components their accounts. */
  registrar: Registrar
}
