/** The ciphers of the secret envelope: here for a few, in a thread of its own for many. */
import { constants, createDecipheriv, createPrivateKey, type KeyObject, privateDecrypt } from 'node:crypto'
import {
  type Envelope,
  envelopeKey,
  envelopeRsaBits,
  parseEnvelope,
  unpadZeros,
} from '@sallyport/contract/envelope'

const base64 = /^[A-Za-z0-9+/]+={0,2}$/
/** base64 of what the RSA key makes. */
const keyCipherLength = Math.ceil(envelopeRsaBits / 8 / 3) * 4

/** Undefined for a plain value, which costs nothing to tell. */
function envelopeIn(text: string): Envelope | undefined {
  const envelope = parseEnvelope(text)
  const isOne =
    envelope?.keyCipher.length === keyCipherLength &&
    base64.test(envelope.keyCipher) &&
    base64.test(envelope.cipher)
  return isOne ? envelope : undefined
}
export const isEnvelope = (text: string): boolean => envelopeIn(text) !== undefined

/** The text inside; the text itself when it is no envelope for this key. Never throws. */
export function openOne({ key, text }: { key: KeyObject; text: string }): string {
  const envelope = envelopeIn(text)
  if (envelope === undefined) return text
  try {
    const aesKey = envelopeKey(
      privateDecrypt(
        { key, padding: constants.RSA_PKCS1_PADDING },
        Buffer.from(envelope.keyCipher, 'base64'),
      ),
    )
    const aes = createDecipheriv(`aes-${aesKey.length * 8}-ecb`, aesKey, null).setAutoPadding(false)
    return unpadZeros(Buffer.concat([aes.update(Buffer.from(envelope.cipher, 'base64')), aes.final()]))
  } catch {
    // What only looks like an envelope is a plain value; so the protocol has it.
    return text
  }
}

export function openAll({ privateKey, texts }: { privateKey: string; texts: readonly string[] }): string[] {
  const key = createPrivateKey(privateKey)
  return texts.map((text) => openOne({ key, text }))
}
