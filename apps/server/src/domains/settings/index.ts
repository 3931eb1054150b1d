import type { Domain } from '../../kernel/domain.ts'
import { type LicenceUse, routesOf } from './routes.ts'
import type { Settings } from './service.ts'

export { createSettings, type Settings, settingSql } from './service.ts'

export const domain = (settings: Settings, assetsInUse: LicenceUse): Domain => ({
  name: 'settings',
  routes: routesOf(settings, assetsInUse),
})
