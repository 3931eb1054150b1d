import { createHash, createHmac, randomBytes } from 'node:crypto'
import {
  digestHeader,
  digestValue,
  nonceHeader,
  signatureValue,
  signedNames,
  signingText,
} from '@sallyport/contract/gateway/signature'

export interface AccessKey {
  id: string
  secret: string
}

/** The headers of a signed request: good once, for this body, at this time. */
export function signedHeaders(
  key: AccessKey,
  { method, target, body = '' }: { method: string; target: string; body?: Uint8Array | string },
): Record<string, string> {
  const headers = {
    date: new Date().toUTCString(),
    [digestHeader]: digestValue(createHash('sha256').update(body).digest('base64')),
    [nonceHeader]: randomBytes(16).toString('base64url'),
  }
  const text = signingText(signedNames, { method, target, headers }) ?? ''
  const signature = createHmac('sha256', key.secret).update(text).digest('base64')
  return { ...headers, authorization: signatureValue(key.id, signedNames, signature) }
}
