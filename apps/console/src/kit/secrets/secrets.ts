import { useEffect } from 'react'
import { readCookie } from '../api/cookies.ts'
import { ApiError } from '../api/errors.ts'

const publicKeyText = () => readCookie('jms_public_key')

/** For a page that will seal a secret: the ciphers are there by then. */
export async function prepareSealing(): Promise<void> {
  if (publicKeyText()) await import('./envelope.ts')
}

/** The same for what a secret is typed into: by the time it is sent the network may be gone. */
export function useSealing(): void {
  useEffect(() => {
    // Tried again when it is needed.
    prepareSealing().catch(() => undefined)
  }, [])
}

/**
 * Seals a secret for the server in the secret envelope. Empty text stays empty; without a public key (the session
 * offers none) the text goes as it is, protected by TLS alone. The ciphers are loaded at the first call.
 * @throws ApiError (`network_error`) where they cannot be loaded
 */
export async function sealSecret(text: string): Promise<string> {
  const publicKey = text && publicKeyText()
  if (!publicKey) {
    return text
  }
  const { seal } = await import('./envelope.ts').catch((error: unknown) => {
    throw new ApiError(0, 'network_error', undefined, error)
  })
  return seal(text, atob(publicKey))
}

/** Field names that hold a secret on any resource. */
export const secretFields: readonly string[] = ['password', 'token', 'private_key', 'secret', 'passphrase']
