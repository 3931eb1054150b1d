/** The settings of texts (settings.md, category sms and providers). Whoever changes them decides who reads codes. */
import {
  AlibabaSettings,
  Cmpp2Settings,
  HuaweiSettings,
  phoneNumberOf,
  type SettingName,
  type SmsBackend,
  SmsSettings,
  TencentSettings,
} from '@sallyport/contract'
import { invalid } from '../../kernel/errors.ts'
import type { ServedOne } from '../../kernel/resource/singleton.ts'
import {
  changes,
  type CheckConfirmed,
  keepInPlace,
  type Prepare,
  type Sent,
  servePage,
  type Settings,
} from '../settings/index.ts'
import { most } from './cmpp2-wire.ts'
import { addressOf } from './huawei.ts'
import { backends } from './service.ts'

const mostTextChars = 65
const asciiBounds = {
  CMPP2_SP_ID: most.spId,
  CMPP2_SERVICE_ID: most.serviceId,
  CMPP2_SRC_ID: most.number,
} as const

/** @throws ApiError 400 where nothing could be sent by what was sent, over what is stored */
export function checkSmsValues(sent: Sent, after: Sent): void {
  const phone = sent.SMS_TEST_PHONE
  if (phone && phoneNumberOf(phone) === undefined) throw invalid('SMS_TEST_PHONE', 'not_phone')
  const { HUAWEI_SMS_ENDPOINT: endpoint, CMPP2_HOST: host, CMPP2_VERIFY_TEMPLATE_CODE: template } = sent
  if (endpoint && addressOf(endpoint) === undefined)
    throw invalid('HUAWEI_SMS_ENDPOINT', 'sms_endpoint_wrong')
  if (host && !/^[\w.:-]+$/.test(host)) throw invalid('CMPP2_HOST', 'not_host_name')
  for (const [name, max] of Object.entries(asciiBounds) as [keyof typeof asciiBounds, number][]) {
    const value = sent[name]
    if (value && !(value.length <= max && /^[\x20-\x7e]+$/.test(value)))
      throw invalid(name, 'sms_ascii', { max })
  }
  if (template !== undefined && !template.includes('{code}'))
    throw invalid('CMPP2_VERIFY_TEMPLATE_CODE', 'sms_template_wrong', { code: '{code}' })
  const isText = template !== undefined || sent.CMPP2_VERIFY_SIGN_NAME !== undefined
  const text = `${after.CMPP2_VERIFY_SIGN_NAME ?? ''}${after.CMPP2_VERIFY_TEMPLATE_CODE ?? ''}`
  if (isText && text.length > mostTextChars)
    throw invalid('CMPP2_VERIFY_TEMPLATE_CODE', 'sms_text_too_long', { max: mostTextChars })
}

const prepare =
  (checkConfirmed: CheckConfirmed, name?: SmsBackend): Prepare =>
  async (sent, before, ctx) => {
    checkSmsValues(sent, { ...before, ...sent })
    if (name !== undefined) keepInPlace(backends[name], { sent, before, again: 'sms_secret_again' })
    const decisive = (Object.keys(sent) as SettingName[]).filter((one) => one !== 'SMS_TEST_PHONE')
    if (changes(decisive, sent, before)) await checkConfirmed(ctx)
    return sent
  }

/** Where nothing could be sent, whoever has a phone could not come in. */
const prepareChoice =
  (settings: Settings, checkConfirmed: CheckConfirmed): Prepare =>
  async (sent, before, ctx) => {
    const prepared = await prepare(checkConfirmed)(sent, before, ctx)
    const { SMS_ENABLED: isOn, SMS_BACKEND: name } = { ...before, ...sent }
    if (!isOn || name === undefined) return prepared
    const stored = await settings.stored(ctx.db, { lock: false })
    const { needed, secret } = backends[name]
    if (stored[secret] === undefined || needed.some((one) => stored[one] === ''))
      throw invalid('SMS_BACKEND', 'sms_provider_missing')
    return prepared
  }

export const smsSettings = (settings: Settings, checkConfirmed: CheckConfirmed): readonly ServedOne[] => [
  servePage(settings, SmsSettings, prepareChoice(settings, checkConfirmed)),
  servePage(settings, AlibabaSettings, prepare(checkConfirmed, 'alibaba')),
  servePage(settings, TencentSettings, prepare(checkConfirmed, 'tencent')),
  servePage(settings, HuaweiSettings, prepare(checkConfirmed, 'huawei')),
  servePage(settings, Cmpp2Settings, prepare(checkConfirmed, 'cmpp2')),
]
