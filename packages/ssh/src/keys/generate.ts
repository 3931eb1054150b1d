import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { SoftwareKey } from './software-key.ts'

const generate = promisify(generateKeyPair)

/** A new key of a type: ssh-ed25519, ecdsa-sha2-nistp256 or ssh-rsa (3,072 bits, as ssh-keygen makes them). */
export async function generateKey(
  type: 'ssh-ed25519' | 'ecdsa-sha2-nistp256' | 'ssh-rsa',
): Promise<SoftwareKey> {
  const { privateKey } =
    type === 'ssh-ed25519'
      ? await generate('ed25519')
      : type === 'ssh-rsa'
        ? await generate('rsa', { modulusLength: 3072 })
        : await generate('ec', { namedCurve: 'P-256' })
  return new SoftwareKey(privateKey)
}
