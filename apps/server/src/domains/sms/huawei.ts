/** Huawei Cloud Message & SMS: batchSendSms, with the account shown in X-WSSE (a digest of the secret). */
import { createHash, randomBytes } from 'node:crypto'
import { post } from './post.ts'
import { refusedBy, type SendSms, SmsFailure } from './sms.ts'

export interface HuaweiSet {
  /** The address the provider names for the app, with or without the path of the call. */
  endpoint: string
  appKey: string
  secret: string
  /** The number of the channel the signature belongs to. */
  sender: string
  signName: string
  templateId: string
}

const path = '/sms/batchSendSms/v1'

/** Where texts are sent to; undefined where it is no such address. */
export function addressOf(endpoint: string): URL | undefined {
  const url = URL.parse(endpoint)
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return undefined
  if (url.username || url.password || url.search || url.hash) return undefined
  const own = url.pathname.replace(/\/+$/, '')
  url.pathname = own.endsWith(path) ? own : own + path
  return url
}

/** @param created as `2026-03-20T10:11:12Z` */
export function wsseOf(appKey: string, secret: string, nonce: string, created: string): string {
  const digest = createHash('sha256')
    .update(nonce + created + secret)
    .digest('base64')
  return `UsernameToken Username="${appKey}",PasswordDigest="${digest}",Nonce="${nonce}",Created="${created}"`
}

export const huawei =
  ({ endpoint, appKey, secret, sender, signName, templateId }: HuaweiSet): SendSms =>
  async ({ phone, code }, ends) => {
    const url = addressOf(endpoint)
    if (url === undefined) throw new SmsFailure('sms_endpoint_wrong', { isFinal: true })
    const created = new Date().toISOString().replace(/\.\d+/, '')
    const said = await post(url, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: 'WSSE realm="SDP",profile="UsernameToken",type="Appkey"',
        'x-wsse': wsseOf(appKey, secret, randomBytes(16).toString('hex'), created),
      },
      body: new URLSearchParams({
        from: sender,
        to: phone,
        templateId,
        templateParas: JSON.stringify([code]),
        signature: signName,
      }).toString(),
      ends,
    })
    const { code: answer, description: text, result } = said
    // 000000: it was taken; what became of each number stands beside it.
    if (answer !== '000000') throw refusedBy({ code: answer, text })
    const status = Array.isArray(result) ? (result[0] as { status?: unknown } | null)?.status : answer
    if (status !== '000000') throw refusedBy({ code: status })
  }
