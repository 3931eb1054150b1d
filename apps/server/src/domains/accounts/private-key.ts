/** Parsing of private keys, as it is run in a thread of its own: what somebody sends says itself how long opening it takes. */
import { createPrivateKey } from 'node:crypto'
import ssh2 from 'ssh2'
import sshpk from 'sshpk'

export interface ParsedKey {
  /** Without its passphrase, in the form of OpenSSH. */
  openssh: string
  md5: string
}

/** Rounds of bcrypt that are worked through, some 30 ms each; ssh-keygen's default is 24, cautious guides say 100. */
const maxBcryptRounds = 150
/** Iterations of the key derivations of PKCS #8; openssl's default is 2,048, cautious guides say 600,000. */
const maxIterations = 2_000_000

/**
 * @returns undefined when opening the key would take too long
 * @throws an error when it is no key, or the passphrase is wrong
 */
export function parse({ text, passphrase }: { text: string; passphrase: string }): ParsedKey | undefined {
  const [, label = '', body = ''] = /-----BEGIN ([A-Z ]+)-----([^-]*)-----END/.exec(text) ?? []
  const bytes = Buffer.from(body, 'base64')
  const isOpenssh = label === 'OPENSSH PRIVATE KEY'
  if (isOpenssh && roundsOf(bytes) > maxBcryptRounds) return undefined
  if (label === 'ENCRYPTED PRIVATE KEY' && largestInteger(bytes) > maxIterations) return undefined
  const key = sshpk.parsePrivateKey(isOpenssh ? opened(text, passphrase) : exported(text, passphrase), 'auto')
  return { openssh: key.toString('openssh'), md5: key.toPublic().fingerprint('md5').toString('hex') }
}

/**
 * The key without its passphrase. sshpk must not do this: a wrong passphrase makes it throw outside of the call, which ends the thread.
 */
function opened(text: string, passphrase: string): string {
  const key = ssh2.utils.parseKey(text, passphrase)
  if (key instanceof Error) throw key
  return exported(key.getPrivatePEM(), '')
}

const exported = (pem: string, passphrase: string): string =>
  createPrivateKey({ key: pem, passphrase }).export({ type: 'pkcs8', format: 'pem' })

/** PROTOCOL.key of OpenSSH: magic, cipher, name of the derivation, and its options: salt and rounds. */
function roundsOf(key: Buffer): number {
  let at = 'openssh-key-v1\0'.length
  const part = (from: Buffer, start: number) => from.subarray(start + 4, start + 4 + from.readUInt32BE(start))
  at += 4 + part(key, at).length
  const name = part(key, at).toString()
  const options = part(key, at + 4 + name.length)
  return name === 'bcrypt' ? options.readUInt32BE(4 + part(options, 0).length) : 0
}

/** RFC 5958: the first element of the sequence says how the second is encrypted; its integers are iterations, costs and lengths. */
function largestInteger(der: Buffer): number {
  const [outer] = elements(der)
  const [algorithm] = outer === undefined ? [] : elements(outer.body)
  let largest = 0
  const waiting = algorithm === undefined ? [] : [algorithm]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    if (next.tag === 0x30) waiting.push(...elements(next.body))
    else if (next.tag === 0x02) largest = Math.max(largest, Number(`0x${next.body.toString('hex') || '0'}`))
  return largest
}
interface Element {
  tag: number
  body: Buffer
}
function elements(der: Buffer): Element[] {
  const found: Element[] = []
  for (let at = 0; at + 2 <= der.length;) {
    const tag = der.readUInt8(at)
    const short = der.readUInt8(at + 1)
    const lengthBytes = short < 0x80 ? 0 : short & 0x7f
    const length = lengthBytes === 0 ? short : der.readUIntBE(at + 2, lengthBytes)
    const start = at + 2 + lengthBytes
    found.push({ tag, body: der.subarray(start, start + length) })
    at = start + length
  }
  return found
}
