import type { KeyObject } from 'node:crypto'
import { SshError } from '../wire/errors.ts'
import type { Reader } from '../wire/reader.ts'

/** A key one can verify with: a plain one, one in a security key, or a certificate. */
export interface PublicKey {
  /** Of its blob: ssh-ed25519, ecdsa-sha2-nistp256, ssh-rsa, sk-ssh-ed25519@openssh.com, ssh-ed25519-cert-v01@openssh.com, … */
  readonly type: string
  /** RFC 4253, 6.6; OpenSSH's PROTOCOL.certkeys and PROTOCOL.u2f. */
  readonly blob: Buffer
  /** Names of algorithms as they are negotiated, best first; those of ssh-rsa are rsa-sha2-512 and rsa-sha2-256. */
  readonly algorithms: readonly string[]
  /** `SHA256:…`, as OpenSSH shows it; that of a certificate is its key's. */
  readonly fingerprint: string
  /** `signature`: as it is on the wire, a string with the algorithm and a string with the rest. False for whatever is wrong with it. */
  verify(algorithm: string, data: Buffer, signature: Buffer): boolean
}

/** A key one can sign with, wherever its secret is: an agent's answers later. */
export interface PrivateKey {
  readonly publicKey: PublicKey
  /** @returns the signature as it is on the wire. @throws KeyError for an algorithm that is none of the public key's */
  sign(algorithm: string, data: Buffer): Buffer | Promise<Buffer>
}

export interface KeyOptions {
  /** For old targets: SHA-1 with RSA (ssh-rsa), and RSA of 1,024 bits on. */
  legacy?: boolean
  /** Security keys need not be touched (`no-touch-required`). */
  withoutTouch?: boolean
  /** Security keys have to know who used them, by a PIN or a finger (`verify-required`). */
  withVerification?: boolean
}

export interface PrivateKeyOptions extends KeyOptions {
  passphrase?: string | undefined
}

/** What is found in a file, not checked yet. */
export interface FoundKey {
  keyObject: KeyObject
  /** The public half, where the file has one of its own. */
  blob?: Buffer
}

export type KeyProblem =
  /** It has not the form it should have. */
  | 'malformed'
  /** Its type, cipher or format is one we do not know, or an algorithm is asked for that is none of the key's. */
  | 'unsupported'
  /** RSA that is too short. */
  | 'weak'
  /** Its secret is encrypted, and no passphrase was given. */
  | 'passphraseMissing'
  | 'passphraseWrong'
  /** Its passphrase is stretched for longer than anybody waits. */
  | 'tooCostly'
  /** The agent that has it is gone, does not answer, or refuses. */
  | 'unavailable'

/** A key that cannot be used. Its message never holds anything of the key; its reason is that of a host's key, the only one that ends a connection. */
export class KeyError extends SshError {
  override readonly name = 'KeyError'
  readonly problem: KeyProblem

  constructor(problem: KeyProblem, message: string, options?: ErrorOptions) {
    super('hostKeyNotVerifiable', message, options)
    this.problem = problem
  }
}

/** A type of key, or several that differ in their numbers only. */
export interface KeyKind {
  readonly types: readonly string[]
  /** Reads what comes behind the type in a blob, and in a certificate behind its nonce. */
  read(reader: Reader, type: string, options: KeyOptions): Verifier
}
export interface Verifier {
  readonly algorithms: readonly string[]
  /** `signature`: what comes behind the name of the algorithm, which is one of `algorithms`. */
  verify(algorithm: string, data: Buffer, signature: Reader): boolean
}

/** What `read` does, with whatever it finds wrong as a `KeyError`. */
export function readingKey<Read>(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    if (error instanceof KeyError) throw error
    throw new KeyError('malformed', 'The key has not the form it should have')
  }
}
