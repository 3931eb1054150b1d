import { ecb } from '@noble/ciphers/aes.js'
import { envelopeKey, formatEnvelope, padZeros } from '@sallyport/contract/envelope'
import { JSEncrypt } from 'jsencrypt'

/** Why a library and not Web Crypto: it offers neither RSA PKCS#1 v1.5 encryption nor ECB, and needs HTTPS. */

const keyBytes = 16
const keyAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Seals a text for the holder of the RSA key (PEM): base64(RSA(key)) ":" base64(AES-128-ECB(text)). */
export function seal(text: string, publicKeyPem: string): string {
  const key = randomKey()
  const rsa = new JSEncrypt()
  rsa.setPublicKey(publicKeyPem)
  const keyCipher = rsa.encrypt(key)
  if (keyCipher === false) {
    throw new Error('The public key of the session cannot be used')
  }
  const cipher = ecb(envelopeKey(new TextEncoder().encode(key)), { disablePadding: true }).encrypt(
    padZeros(text),
  )
  return formatEnvelope({ keyCipher, cipher: base64(cipher) })
}

function randomKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(keyBytes))
  return Array.from(random, (byte) => keyAlphabet.charAt(byte & 63)).join('')
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) {
    binary += String.fromCharCode(byte)
  }
  return btoa(binary)
}
