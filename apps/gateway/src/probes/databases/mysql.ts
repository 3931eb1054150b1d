/** Signing in to MySQL and MariaDB, as their manuals tell of the protocol ("Connection Phase"), and no further. */
import { createHash } from 'node:crypto'
import { TargetError } from '../../targets/ssh/errors.ts'
import { provesItself, unchecked } from '../encrypted.ts'
import type { Way } from '../way.ts'
import { Conversation } from './conversation.ts'
import type { Database } from './database.ts'

const packetMaxBytes = 16 * 1024
const roundsMax = 8
const utf8mb4 = 45
const can = {
  longPassword: 0x1,
  connectWithDb: 0x8,
  protocol41: 0x200,
  ssl: 0x800,
  secureConnection: 0x8000,
  pluginAuth: 0x80000,
} as const
/** Its code for wrong credentials. */
const accessDenied = 1045

interface Greeting {
  abilities: number
  scramble: Buffer
  plugin: string
}

/** Throws a TargetError, or what broke the connection. */
export async function probeMysql(database: Database, way: Way): Promise<void> {
  const talk = await Conversation.begin(way, database, 'MySQL')
  try {
    await new SignIn(talk, database).run()
  } finally {
    talk.end()
  }
}

class SignIn {
  readonly #talk: Conversation
  readonly #database: Database
  #sequence = 0

  constructor(talk: Conversation, database: Database) {
    this.#talk = talk
    this.#database = database
  }

  async run(): Promise<void> {
    const { tls, db_name: name, username } = this.#database
    const { where } = this.#talk
    const greeting = this.#greeting(await this.#read())
    const offersTls = (greeting.abilities & can.ssl) !== 0
    if (tls && !offersTls) throw new TargetError('target_no_tls', `${where} offers no TLS`, { where })
    const abilities =
      can.longPassword |
      can.protocol41 |
      can.secureConnection |
      can.pluginAuth |
      (name ? can.connectWithDb : 0)
    // As its own clients do: encrypted where it can be, checked where the asset says so.
    const head = Buffer.alloc(32)
    head.writeUInt32LE(abilities | (offersTls ? can.ssl : 0), 0)
    head.writeUInt32LE(packetMaxBytes, 4)
    head[8] = utf8mb4
    if (offersTls) {
      this.#write(head)
      await this.#talk.encrypt(tls ?? unchecked)
    }
    const first = this.#proof(greeting.plugin, greeting.scramble) ?? Buffer.alloc(0)
    this.#write(
      Buffer.concat([
        head,
        word(username),
        Buffer.from([first.byteLength]),
        first,
        ...(name ? [word(name)] : []),
        word(greeting.plugin),
      ]),
    )
    await this.#finish(greeting)
    this.#sequence = 0
    this.#write(Buffer.from([0x01]))
  }

  #greeting(packet: Buffer): Greeting {
    if (packet[0] === 0xff) throw this.#refusal(packet)
    const end = packet.indexOf(0, 1)
    if (packet[0] !== 10 || end < 0 || packet.byteLength < end + 32) throw this.#talk.strange()
    const at = end + 5
    const abilities = packet.readUInt16LE(at + 9) | (packet.readUInt16LE(at + 14) << 16)
    const scrambleEnd = at + 27 + 12
    const name = packet.subarray(scrambleEnd + 1)
    return {
      abilities,
      scramble: Buffer.concat([packet.subarray(at, at + 8), packet.subarray(at + 27, scrambleEnd)]),
      plugin: wordOf(name) || 'mysql_native_password',
    }
  }

  /** Until it says yes or no. */
  async #finish(greeting: Greeting): Promise<void> {
    let { plugin, scramble } = greeting
    for (let round = 0; round < roundsMax; round++) {
      const packet = await this.#read()
      const kind = packet[0]
      if (kind === 0x00) return
      if (kind === 0xff) throw this.#refusal(packet)
      if (kind === 0xfe) {
        plugin = wordOf(packet.subarray(1))
        scramble = packet.subarray(2 + Buffer.byteLength(plugin)).subarray(0, 20)
        const proof = this.#proof(plugin, scramble)
        if (proof === undefined) throw this.#unsupported(plugin)
        this.#write(proof)
      } else if (kind === 0x01 && plugin === 'caching_sha2_password') {
        // 3: it knew the secret already; 4: it has to be told.
        if (packet[1] === 4) this.#tellSecret()
        else if (packet[1] !== 3) throw this.#talk.strange()
      } else throw this.#talk.strange()
    }
    throw this.#talk.strange()
  }

  #tellSecret(): void {
    // Over TLS with whoever it may be, it would be told to whoever it may be.
    const { tls } = this.#database
    if (tls === null) throw this.#unsupported('caching_sha2_password (use_ssl)')
    if (!provesItself(tls)) throw this.#unsupported('caching_sha2_password (allow_invalid_cert)')
    this.#write(word(this.#database.secret))
  }

  /** Undefined for ways that are not known here. */
  #proof(plugin: string, scramble: Buffer): Buffer | undefined {
    const { secret } = this.#database
    if (plugin === 'mysql_native_password')
      return secret === '' ? Buffer.alloc(0) : nativeProof(secret, scramble)
    if (plugin === 'caching_sha2_password')
      return secret === '' ? Buffer.alloc(0) : sha2Proof(secret, scramble)
    return undefined
  }

  #unsupported(way: string): TargetError {
    const { where } = this.#talk
    return new TargetError('target_sign_in_unsupported', `${where} asks for ${way}`, { where, way })
  }

  #refusal(packet: Buffer): TargetError {
    const { where } = this.#talk
    if (packet.byteLength < 3) return this.#talk.strange()
    if (packet.readUInt16LE(1) === accessDenied)
      return new TargetError('target_auth_failed', `${where} denied access`, { where })
    const said = packet
      .toString('utf8', 3)
      .replace(/^#\w{5}/, '')
      .slice(0, 200)
    return new TargetError('target_refused_sign_in', `${where}: ${said}`, { where, said })
  }

  async #read(): Promise<Buffer> {
    const head = await this.#talk.read(4)
    const bytes = head.readUIntLE(0, 3)
    if (bytes < 1 || bytes > packetMaxBytes) throw this.#talk.strange()
    this.#sequence = (head.readUInt8(3) + 1) & 0xff
    return await this.#talk.read(bytes)
  }

  #write(body: Uint8Array): void {
    const head = Buffer.alloc(4)
    head.writeUIntLE(body.byteLength, 0, 3)
    head.writeUInt8(this.#sequence, 3)
    this.#sequence = (this.#sequence + 1) & 0xff
    this.#talk.write(Buffer.concat([head, body]))
  }
}

const word = (text: string) => Buffer.from(`${text.replaceAll('\0', '')}\0`)
const wordOf = (bytes: Buffer) => {
  const end = bytes.indexOf(0)
  return bytes.toString('latin1', 0, Math.min(end < 0 ? bytes.byteLength : end, 64))
}

const digest = (algorithm: 'sha1' | 'sha256', ...parts: Uint8Array[]) => {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest()
}
const mixed = (one: Buffer, other: Buffer) => Buffer.from(one.map((byte, at) => byte ^ (other[at] ?? 0)))

function nativeProof(secret: string, scramble: Buffer): Buffer {
  const once = digest('sha1', Buffer.from(secret))
  return mixed(once, digest('sha1', scramble, digest('sha1', once)))
}
function sha2Proof(secret: string, scramble: Buffer): Buffer {
  const once = digest('sha256', Buffer.from(secret))
  return mixed(once, digest('sha256', digest('sha256', digest('sha256', once)), scramble))
}
