/** Tencent Cloud SMS: SendSms of 2021-01-11, signed with TC3-HMAC-SHA256. */
import { createHash, createHmac } from 'node:crypto'
import { post } from './post.ts'
import { refusedBy, type SendSms, SmsFailure } from './sms.ts'

export interface TencentSet {
  /** Of the service. */
  url: string
  secretId: string
  secretKey: string
  appId: string
  signName: string
  templateId: string
}
interface Signed {
  service: string
  /** Seconds since 1970. */
  timestamp: number
  /** By their names in lower case, sorted; all of them are signed. */
  headers: Readonly<Record<string, string>>
  body: string
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** What the header Authorization says of a POST to `/`. */
export function authorizationOf(
  { service, timestamp, headers, body }: Signed,
  { secretId, secretKey }: Pick<TencentSet, 'secretId' | 'secretKey'>,
): string {
  const names = Object.keys(headers)
  const lines = names.map((name) => `${name}:${headers[name]?.toLowerCase()}\n`).join('')
  const signedHeaders = names.join(';')
  const request = ['POST', '/', '', lines, signedHeaders, hash(body)].join('\n')
  const date = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${date}/${service}/tc3_request`
  const text = ['TC3-HMAC-SHA256', timestamp, scope, hash(request)].join('\n')
  const key = hmac(hmac(hmac(`TC3${secretKey}`, date), service), 'tc3_request')
  const signature = hmac(key, text).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`
}

/** Of these codes another try may do better. */
const passing = /^(InternalError|RequestLimitExceeded)/
const refused = (code: unknown, text: unknown) =>
  refusedBy({ code, text }, !(typeof code === 'string' && passing.test(code)))

export const tencent =
  ({ url, appId, signName, templateId, ...account }: TencentSet): SendSms =>
  async ({ phone, code }, ends) => {
    const at = new URL(url)
    const timestamp = Math.floor(Date.now() / 1000)
    const body = JSON.stringify({
      PhoneNumberSet: [phone],
      SmsSdkAppId: appId,
      SignName: signName,
      TemplateId: templateId,
      TemplateParamSet: [code],
    })
    const contentType = 'application/json; charset=utf-8'
    const headers = { 'content-type': contentType, host: at.host, 'x-tc-action': 'SendSms' }
    const said = await post(at, {
      headers: {
        'content-type': contentType,
        authorization: authorizationOf({ service: 'sms', timestamp, headers, body }, account),
        'x-tc-action': 'SendSms',
        'x-tc-timestamp': String(timestamp),
        'x-tc-version': '2021-01-11',
        'x-tc-region': 'ap-guangzhou',
      },
      body,
      ends,
    })
    const { Error: error, SendStatusSet: sent } = (said['Response'] ?? {}) as {
      Error?: { Code?: unknown; Message?: unknown } | null
      SendStatusSet?: ({ Code?: unknown; Message?: unknown } | null)[] | null
    }
    if (error) throw refused(error.Code, error.Message)
    const one = Array.isArray(sent) ? sent[0] : undefined
    if (!one) throw new SmsFailure('sms_answer_unknown')
    if (one.Code !== 'Ok') throw refused(one.Code, one.Message)
  }
