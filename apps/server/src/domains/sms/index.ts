import type { Domain } from '../../kernel/domain.ts'
import type { CheckConfirmed, Settings } from '../settings/index.ts'
import { smsCalls } from './calls.ts'
import { smsSettings } from './settings-page.ts'

export { canText, openTexts, sendInTime } from './service.ts'
export { SmsFailure, sendTimeoutMs as textTimeoutMs } from './sms.ts'

export const domain = (settings: Settings, checkConfirmed: CheckConfirmed): Domain => ({
  name: 'sms',
  singletons: smsSettings(settings, checkConfirmed),
  services: [smsCalls(settings, checkConfirmed)],
})
