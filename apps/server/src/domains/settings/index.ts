import type { Domain } from '../../kernel/domain.ts'
import { interfaceServed } from './interface.ts'
import { type CheckConfirmed, pages } from './pages.ts'
import { pictureRoute } from './pictures.ts'
import { type LicensedTo, singletons } from './resources.ts'

export type { LicensedTo }
import type { Settings } from './service.ts'

export { type CheckConfirmed, type Prepare, type Sent, servePage } from './pages.ts'
export { canMail } from './can-mail.ts'
export { changes, keepInPlace, secretToTry, type StoredSecret } from './stored-secret.ts'
export { createSettings, type Settings, settingSql } from './service.ts'

export const domain = (
  settings: Settings,
  licensedTo: LicensedTo,
  checkConfirmed: CheckConfirmed,
): Domain => ({
  name: 'settings',
  singletons: [...singletons(licensedTo), ...pages(settings, checkConfirmed), interfaceServed(settings)],
  routes: [pictureRoute],
})
