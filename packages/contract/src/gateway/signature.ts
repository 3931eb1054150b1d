/**
 * How requests are signed with an access key (draft-cavage-http-signatures; the compatible system's component login). Programs of people
 * sign target and date, as that system has it. Sallyport's gateways sign the body's digest (RFC 3230) and a nonce too, so that a signature
 * serves one request once.
 */
export const requestTarget = '(request-target)'
export const digestHeader = 'digest'
export const nonceHeader = 'x-nonce'
/** What a gateway's signature covers, in this order. */
export const signedNames = [requestTarget, 'date', digestHeader, nonceHeader] as const
/** base64url, 16 to 64 characters. */
export const noncePattern = /^[\w-]{16,64}$/
/** Minutes a signed date may be off. */
export const signatureMaxAgeMinutes = 15

export interface SignedRequest {
  method: string
  /** With its query, as in the request line. */
  target: string
  /** By lower-case name. */
  headers: Readonly<Record<string, string | string[] | undefined>>
}

/** The text that is signed; undefined when a header it names is missing. */
export function signingText(names: readonly string[], request: SignedRequest): string | undefined {
  const lines: string[] = []
  for (const name of names) {
    const value =
      name === requestTarget ? `${request.method.toLowerCase()} ${request.target}` : request.headers[name]
    if (typeof value !== 'string') return undefined
    lines.push(`${name}: ${value}`)
  }
  return lines.join('\n')
}

/** The value of the digest header; `sha256` is base64. */
export const digestValue = (sha256: string) => `SHA-256=${sha256}`

export const signatureValue = (keyId: string, names: readonly string[], signature: string) =>
  `Signature keyId="${keyId}",algorithm="hmac-sha256",headers="${names.join(' ')}",signature="${signature}"`
