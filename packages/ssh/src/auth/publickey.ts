import { message } from '../wire/messages.ts'
import { Writer } from '../wire/writer.ts'

export const connectionService = 'ssh-connection'
/** The signature covers the server's host key too, so that it is of no use anywhere else (OpenSSH's PROTOCOL, 1.2). */
export const hostboundMethod = 'publickey-hostbound-v00@openssh.com'
/** A server tells that it knows the method above. */
export const hostboundExtension = 'publickey-hostbound@openssh.com'
export const signatureAlgorithmsExtension = 'server-sig-algs'

export interface PublicKeyClaim {
  username: string
  algorithm: string
  blob: Buffer
  /** Of the server, where the method binds to it. */
  hostKey?: Buffer
}

/** The request without its signature (RFC 4252, 7). `isSigned`: the signature follows. */
export function publicKeyRequest(claim: PublicKeyClaim, isSigned: boolean): Buffer {
  const body = new Writer(128 + claim.blob.length * 2).byte(message.userauthRequest)
  body.string(claim.username).string(connectionService)
  body.string(claim.hostKey ? hostboundMethod : 'publickey').boolean(isSigned)
  body.string(claim.algorithm).string(claim.blob)
  if (claim.hostKey) body.string(claim.hostKey)
  return body.finish()
}

/** What is signed: the session, so that it is of no use in another one, and the request. */
export function signedClaim(sessionId: Buffer, claim: PublicKeyClaim): Buffer {
  return new Writer(512).string(sessionId).bytes(publicKeyRequest(claim, true)).finish()
}
