import type { Domain } from '../../kernel/domain.ts'
import { pages } from './pages.ts'
import { singletons } from './resources.ts'
import type { Settings } from './service.ts'

export { canMail } from './can-mail.ts'
export { hasLicence } from './resources.ts'
export { createSettings, type Settings, settingSql } from './service.ts'

export const domain = (settings: Settings, countAssets: () => Promise<number>): Domain => ({
  name: 'settings',
  singletons: [...singletons(countAssets), ...pages(settings)],
})
