import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Settings } from '../settings/index.ts'
import { mailServer } from './calls.ts'
import type { Notifications } from './service.ts'

export type { CodePurpose, Codes } from './codes.ts'
export { createNotifications, type Notifications, type Send } from './service.ts'

export const domain = (
  ground: Pick<Ground, 'database'>,
  { outbox }: Notifications,
  settings: Settings,
): Domain => ({
  name: 'notifications',
  services: [mailServer(ground, settings)],
  start: () => Promise.resolve(outbox.start()),
})
