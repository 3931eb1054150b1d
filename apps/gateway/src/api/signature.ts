import { createHmac } from 'node:crypto'

export interface AccessKey {
  id: string
  secret: string
}

/** `Authorization` of an HTTP signature over request target, accept and date (the compatible system's component login). */
export function signatureHeader(
  key: AccessKey,
  request: { method: string; path: string; accept: string; date: string },
): string {
  const text = [
    `(request-target): ${request.method.toLowerCase()} ${request.path}`,
    `accept: ${request.accept}`,
    `date: ${request.date}`,
  ].join('\n')
  const signature = createHmac('sha256', key.secret).update(text).digest('base64')
  return `Signature keyId="${key.id}",algorithm="hmac-sha256",headers="(request-target) accept date",signature="${signature}"`
}
