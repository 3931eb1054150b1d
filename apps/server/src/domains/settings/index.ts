import type { Domain } from '../../kernel/domain.ts'
import { routesOf } from './routes.ts'
import type { Settings } from './service.ts'

export { createSettings, type Settings, settingSql } from './service.ts'

export const domain = (settings: Settings): Domain => ({ name: 'settings', routes: routesOf(settings) })
