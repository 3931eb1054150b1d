import type { Domain } from '../../kernel/domain.ts'
import { type LicenceUse, routesOf } from './routes.ts'

export { createSettings, type Settings, settingSql } from './service.ts'

export const domain = (assetsInUse: LicenceUse): Domain => ({
  name: 'settings',
  routes: routesOf(assetsInUse),
})
