import { readCookie } from '../api/cookies.ts'

const publicKeyText = () => readCookie('jms_public_key')

/** For a page that will seal a secret: the ciphers are there by then. */
export async function prepareSealing(): Promise<void> {
  if (publicKeyText()) await import('./envelope.ts')
}

/**
 * Seals a secret for the server in the secret envelope. Empty text stays empty; without a public key (the session
 * offers none) the text goes as it is, protected by TLS alone. The ciphers are loaded at the first call.
 */
export async function sealSecret(text: string): Promise<string> {
  const publicKey = text && publicKeyText()
  if (!publicKey) {
    return text
  }
  const { seal } = await import('./envelope.ts')
  return seal(text, atob(publicKey))
}

/** Field names that hold a secret on any resource. */
export const secretFields: readonly string[] = ['password', 'token', 'private_key', 'secret', 'passphrase']
