/** Signing in to PostgreSQL, as its manual tells of the protocol (chapter 55), and no further. */
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { TargetError } from '../../targets/ssh/errors.ts'
import { provesItself } from '../encrypted.ts'
import type { Way } from '../way.ts'
import { Conversation } from './conversation.ts'
import type { Database } from './database.ts'

const version = 196_608
const sslRequest = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])
const messageMaxBytes = 32 * 1024
/** Rounds somebody else's server may have us calculate; PostgreSQL's own are 4,096. */
const roundsMax = 200_000
/** Its codes for wrong credentials. */
const refusals = new Set(['28P01', '28000'])

/** Throws a TargetError, or what broke the connection. */
export async function probePostgres(database: Database, way: Way): Promise<void> {
  const talk = await Conversation.begin(way, database, 'PostgreSQL')
  try {
    const { where } = talk
    if (database.tls) {
      talk.write(sslRequest)
      const answer = (await talk.read(1)).toString('latin1')
      if (answer === 'N') throw new TargetError('target_no_tls', `${where} offers no TLS`, { where })
      if (answer !== 'S') throw talk.strange()
      await talk.encrypt(database.tls)
    }
    talk.write(startup(database))
    await signIn(talk, database)
    talk.write(message('X', Buffer.alloc(0)))
  } finally {
    talk.end()
  }
}

function startup({ username, db_name: name }: Database): Buffer {
  const words = ['user', username, 'database', name || 'postgres', 'application_name', 'Sallyport']
  const body = Buffer.from(`${words.map((word) => `${word.replaceAll('\0', '')}\0`).join('')}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(body.byteLength + 8, 0)
  head.writeInt32BE(version, 4)
  return Buffer.concat([head, body])
}

function message(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(body.byteLength + 4, 1)
  return Buffer.concat([head, body])
}

async function nextOf(talk: Conversation): Promise<{ type: string; body: Buffer }> {
  const head = await talk.read(5)
  const bytes = head.readInt32BE(1) - 4
  if (bytes < 0 || bytes > messageMaxBytes) throw talk.strange()
  return { type: head.toString('latin1', 0, 1), body: await talk.read(bytes) }
}

/** Until it takes queries: that the database is there is known only then. */
async function signIn(talk: Conversation, database: Database): Promise<void> {
  const { username, secret } = database
  let scram: Scram | undefined
  let isSignedIn = false
  for (;;) {
    const { type, body } = await nextOf(talk)
    if (type === 'E') throw refusal(talk.where, body)
    if (type === 'Z' && isSignedIn) return
    if (type !== 'R') {
      if (!/^[NSKZ]$/.test(type)) throw talk.strange()
      continue
    }
    if (body.byteLength < 4) throw talk.strange()
    const way = body.readInt32BE(0)
    const rest = body.subarray(4)
    if (way === 0) {
      // Whoever knows nothing of the secret could say so, too.
      if (scram && !scram.isProven) throw talk.strange()
      isSignedIn = true
    } else if (way === 3 && provesItself(database.tls)) talk.write(message('p', Buffer.from(`${secret}\0`)))
    else if (way === 5) talk.write(message('p', Buffer.from(`${md5Answer(username, secret, rest)}\0`)))
    else if (way === 10 && rest.toString('latin1').split('\0').includes('SCRAM-SHA-256')) {
      scram = new Scram(secret)
      talk.write(message('p', scram.first()))
    } else if (way === 11 && scram) talk.write(message('p', await scram.answer(rest.toString('utf8'), talk)))
    else if (way === 12 && scram) scram.check(rest.toString('utf8'), talk)
    else throw unsupported(talk.where, way)
  }
}

const waysCalled: Readonly<Record<number, string>> = {
  2: 'Kerberos',
  3: 'password in clear text',
  7: 'GSSAPI',
  9: 'SSPI',
  10: 'SASL',
}
function unsupported(where: string, code: number): TargetError {
  const way = waysCalled[code] ?? String(code)
  return new TargetError('target_sign_in_unsupported', `${where} asks for ${way}`, { where, way })
}

function refusal(where: string, body: Buffer): TargetError {
  const fields = new Map(
    body
      .toString('utf8')
      .split('\0', 32)
      .map((field) => [field.slice(0, 1), field.slice(1)]),
  )
  const code = fields.get('C') ?? ''
  if (refusals.has(code)) return new TargetError('target_auth_failed', `${where}: ${code}`, { where })
  const said = (fields.get('M') ?? '').slice(0, 200)
  return new TargetError('target_refused_sign_in', `${where}: ${said}`, { where, said })
}

const md5 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}
const md5Answer = (username: string, secret: string, salt: Uint8Array) =>
  `md5${md5(md5(secret, username), salt)}`

const hmac = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest()

/** SCRAM-SHA-256 (RFC 7677) without channel binding. */
class Scram {
  readonly #secret: string
  readonly #bare = `n=,r=${randomBytes(18).toString('base64')}`
  #signature: Buffer | undefined
  isProven = false

  constructor(secret: string) {
    this.#secret = secret.normalize('NFKC')
  }

  first(): Buffer {
    const text = Buffer.from(`n,,${this.#bare}`)
    const length = Buffer.alloc(4)
    length.writeInt32BE(text.byteLength)
    return Buffer.concat([Buffer.from('SCRAM-SHA-256\0'), length, text])
  }

  async answer(told: string, talk: Conversation): Promise<Buffer> {
    const [, nonce = '', salt = '', rounds = ''] = /^r=([^,]+),s=([^,]+),i=(\d{1,7})/.exec(told) ?? []
    const count = Number(rounds)
    if (!nonce.startsWith(this.#bare.slice(5)) || count < 1 || count > roundsMax) throw talk.strange()
    const salted = await promisify(pbkdf2)(this.#secret, Buffer.from(salt, 'base64'), count, 32, 'sha256')
    const clientKey = hmac(salted, 'Client Key')
    const without = `c=biws,r=${nonce}`
    const all = `${this.#bare},${told},${without}`
    const signature = hmac(createHash('sha256').update(clientKey).digest(), all)
    const proof = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)))
    this.#signature = hmac(hmac(salted, 'Server Key'), all)
    return Buffer.from(`${without},p=${proof.toString('base64')}`)
  }

  check(told: string, talk: Conversation): void {
    const shown = Buffer.from(/^v=([A-Za-z0-9+/=]+)/.exec(told)?.[1] ?? '', 'base64')
    const signature = this.#signature
    if (signature?.byteLength !== shown.byteLength || !timingSafeEqual(signature, shown)) throw talk.strange()
    this.isProven = true
  }
}
