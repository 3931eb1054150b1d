/** Alibaba Cloud Short Message Service: SendSms, an RPC-style call with signature version 1.0 (HMAC-SHA1). */
import { createHmac, randomUUID } from 'node:crypto'
import { post } from './post.ts'
import { digitsOf, insideChina, refusedBy, type SendSms } from './sms.ts'

export interface AlibabaSet {
  /** Of the service. */
  url: string
  keyId: string
  secret: string
  signName: string
  templateCode: string
}

/** RFC 3986: what `encodeURIComponent` leaves is encoded, too. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.codePointAt(0)?.toString(16).toUpperCase()}`,
  )

/** The signature of a call with these parameters. */
export function signatureOf(
  method: 'GET' | 'POST',
  params: Readonly<Record<string, string>>,
  secret: string,
): string {
  const query = Object.keys(params)
    .sort()
    .map((name) => `${encoded(name)}=${encoded(params[name] ?? '')}`)
    .join('&')
  const text = `${method}&${encoded('/')}&${encoded(query)}`
  return createHmac('sha1', `${secret}&`).update(text).digest('base64')
}

/** Of these codes another try may do better. */
const passing = /^(Throttling|ServiceUnavailable|InternalError|isp\.SYSTEM_ERROR)/

export const alibaba =
  ({ url, keyId, secret, signName, templateCode }: AlibabaSet): SendSms =>
  async ({ phone, code }, ends) => {
    const params = {
      AccessKeyId: keyId,
      Action: 'SendSms',
      Format: 'JSON',
      PhoneNumbers: insideChina(phone) ?? digitsOf(phone),
      RegionId: 'cn-hangzhou',
      SignName: signName,
      SignatureMethod: 'HMAC-SHA1',
      SignatureNonce: randomUUID(),
      SignatureVersion: '1.0',
      TemplateCode: templateCode,
      TemplateParam: JSON.stringify({ code }),
      Timestamp: new Date().toISOString().replace(/\.\d+/, ''),
      Version: '2017-05-25',
    }
    // In the body: addresses are written down on the way.
    const body = new URLSearchParams({ ...params, Signature: signatureOf('POST', params, secret) })
    const said = await post(new URL(url), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
      ends,
    })
    const { Code: answer, Message: text } = said
    if (answer === 'OK') return
    throw refusedBy({ code: answer, text }, !(typeof answer === 'string' && passing.test(answer)))
  }
