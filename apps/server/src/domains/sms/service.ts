/** Texts by the way that is set. */
import type { SettingName, SettingValues, SmsBackend } from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Settings, StoredSecret } from '../settings/index.ts'
import { alibaba } from './alibaba.ts'
import { cmpp2 } from './cmpp2.ts'
import { huawei } from './huawei.ts'
import { type SendSms, type Sms, SmsFailure, sendTimeoutMs } from './sms.ts'
import { tencent } from './tencent.ts'

interface Backend extends StoredSecret {
  /** Without these nothing is sent. */
  needed: readonly SettingName[]
  open(values: SettingValues, secret: string): SendSms
}

/** Of the two vendors who have one address for everybody. */
const services = {
  alibaba: 'https://dysmsapi.aliyuncs.com/',
  tencent: 'https://sms.tencentcloudapi.com/',
} as const

export const backends: Readonly<Record<SmsBackend, Backend>> = {
  alibaba: {
    secret: 'ALIBABA_ACCESS_KEY_SECRET',
    needed: ['ALIBABA_ACCESS_KEY_ID', 'ALIBABA_VERIFY_SIGN_NAME', 'ALIBABA_VERIFY_TEMPLATE_CODE'],
    place: ['ALIBABA_ACCESS_KEY_ID'],
    open: (values, secret) =>
      alibaba({
        url: services.alibaba,
        secret,
        keyId: values.ALIBABA_ACCESS_KEY_ID,
        signName: values.ALIBABA_VERIFY_SIGN_NAME,
        templateCode: values.ALIBABA_VERIFY_TEMPLATE_CODE,
      }),
  },
  tencent: {
    secret: 'TENCENT_SECRET_KEY',
    needed: [
      'TENCENT_SECRET_ID',
      'TENCENT_SDKAPPID',
      'TENCENT_VERIFY_SIGN_NAME',
      'TENCENT_VERIFY_TEMPLATE_CODE',
    ],
    place: ['TENCENT_SECRET_ID'],
    open: (values, secretKey) =>
      tencent({
        url: services.tencent,
        secretKey,
        secretId: values.TENCENT_SECRET_ID,
        appId: values.TENCENT_SDKAPPID,
        signName: values.TENCENT_VERIFY_SIGN_NAME,
        templateId: values.TENCENT_VERIFY_TEMPLATE_CODE,
      }),
  },
  huawei: {
    secret: 'HUAWEI_APP_SECRET',
    needed: [
      'HUAWEI_APP_KEY',
      'HUAWEI_SMS_ENDPOINT',
      'HUAWEI_SIGN_CHANNEL_NUM',
      'HUAWEI_VERIFY_SIGN_NAME',
      'HUAWEI_VERIFY_TEMPLATE_CODE',
    ],
    place: ['HUAWEI_SMS_ENDPOINT', 'HUAWEI_APP_KEY'],
    open: (values, secret) =>
      huawei({
        secret,
        endpoint: values.HUAWEI_SMS_ENDPOINT,
        appKey: values.HUAWEI_APP_KEY,
        sender: values.HUAWEI_SIGN_CHANNEL_NUM,
        signName: values.HUAWEI_VERIFY_SIGN_NAME,
        templateId: values.HUAWEI_VERIFY_TEMPLATE_CODE,
      }),
  },
  cmpp2: {
    secret: 'CMPP2_SP_SECRET',
    needed: [
      'CMPP2_HOST',
      'CMPP2_SP_ID',
      'CMPP2_SERVICE_ID',
      'CMPP2_VERIFY_SIGN_NAME',
      'CMPP2_VERIFY_TEMPLATE_CODE',
    ],
    place: ['CMPP2_HOST', 'CMPP2_PORT', 'CMPP2_SP_ID'],
    open: (values, secret) =>
      cmpp2({
        secret,
        host: values.CMPP2_HOST,
        port: values.CMPP2_PORT,
        spId: values.CMPP2_SP_ID,
        source: values.CMPP2_SRC_ID,
        serviceId: values.CMPP2_SERVICE_ID,
        signName: values.CMPP2_VERIFY_SIGN_NAME,
        template: values.CMPP2_VERIFY_TEMPLATE_CODE,
      }),
  },
}

/** Whether codes can go by SMS: switched on, and the chosen way is set. */
export const canText = ({ settings: values }: Pick<Context, 'settings'>): boolean =>
  values.SMS_ENABLED && backends[values.SMS_BACKEND].needed.every((name) => values[name] !== '')

/** The way that is chosen, as it is stored; undefined where none is. */
export async function openTexts(settings: Settings, executor: Executor): Promise<SendSms | undefined> {
  const values = await settings.all()
  if (!canText({ settings: values })) return undefined
  const backend = backends[values.SMS_BACKEND]
  const secret = await settings.secret(executor, backend.secret)
  return secret === undefined ? undefined : backend.open(values, secret)
}

/** @throws SmsFailure, in time */
export async function sendInTime(send: SendSms, sms: Sms, signal?: AbortSignal): Promise<void> {
  const ends = AbortSignal.any([AbortSignal.timeout(sendTimeoutMs), ...(signal ? [signal] : [])])
  await send(sms, ends).catch((error: unknown) => {
    throw error instanceof SmsFailure
      ? error
      : new SmsFailure('sms_unreachable', { params: { code: '-' }, cause: error })
  })
}
