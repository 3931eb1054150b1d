/** Passkeys, made and used by an authenticator of software: what a browser would send, and what an attacker would. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../../testing.ts'
import { addPerson, type TestPerson } from '../../../testing-people.ts'
import { passkeyChallenges } from '../tables.ts'

const system = await startTestSystem()
const admin = await system.admin()
const { db } = system.database
const passkeys = 'authentication/passkeys'

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest()
const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')
const clientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type: `webauthn.${type}`, challenge, origin, crossOrigin: false }))

class Authenticator {
  readonly id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #counter = 0

  constructor(origin = 'http://localhost:80') {
    this.#origin = origin
  }

  make(options: Options, statement: { fmt: string; attStmt: Map<string, unknown> } = none()) {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const authData = Buffer.concat([
      this.#authData(options.rp?.id ?? '', 0x45),
      Buffer.alloc(16),
      length,
      this.id,
      isoCBOR.encode(key),
    ])
    const attestationObject = isoCBOR.encode(
      new Map<string, never>(
        Object.entries({ ...statement, authData: new Uint8Array(authData) }) as [string, never][],
      ),
    )
    return this.#credential({
      clientDataJSON: base64url(clientData('create', options.challenge, this.#origin)),
      attestationObject: base64url(attestationObject),
    })
  }

  sign(options: Options) {
    const data = clientData('get', options.challenge, this.#origin)
    const authData = this.#authData(options.rpId ?? '', 0x05)
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(data)]))
      .sign(this.#keys.privateKey)
    return this.#credential({
      clientDataJSON: base64url(data),
      authenticatorData: base64url(authData),
      signature: base64url(signature),
    })
  }

  #credential(response: Record<string, string>) {
    const id = base64url(this.id)
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #authData(site: string, flags: number): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(++this.#counter)
    return Buffer.concat([sha256(site), Buffer.from([flags]), counter])
  }
}

interface Options {
  challenge: string
  rp?: { id: string }
  rpId?: string
}
const none = () => ({ fmt: 'none', attStmt: new Map<string, unknown>() })

async function confirmed(person: TestPerson): Promise<TestClient> {
  const client = await person.signedIn()
  const answer = { confirm_type: 'password', secret_key: person.password }
  expect((await client.post('authentication/confirm/', answer)).status).toBe(200)
  return client
}
const asked = async (client: TestClient, path: string) =>
  (await client.post(`${passkeys}/${path}/`)).body as unknown as Options
const register = (client: TestClient, credential: object) =>
  client.post(`${passkeys}/register/`, { name: 'phone', credential })

async function withPasskey() {
  const person = await addPerson(system, admin)
  const client = await confirmed(person)
  const phone = new Authenticator()
  const made = await register(client, phone.make(await asked(client, 'register/start')))
  expect(made.status).toBe(201)
  return { person, client, phone }
}
async function visitor(): Promise<TestClient> {
  const client = system.client()
  await client.get('/core/auth/login/')
  return client
}
const signIn = (client: TestClient, credential: object) =>
  client.post('/core/auth/login/passkey/', { credential })

test('a passkey lets its person in, once for each time it is asked to sign', async () => {
  const { person, phone } = await withPasskey()
  const client = await visitor()
  const signed = phone.sign(await asked(client, 'auth/start'))
  expect((await signIn(client, signed)).status).toBe(200)
  expect((await client.get('users/profile/')).body).toMatchObject({ username: person.username })
  expect((await signIn(await visitor(), signed)).status).toBe(400)
})

test('what was signed for another site, or by another key, lets nobody in', async () => {
  const { phone } = await withPasskey()
  const client = await visitor()
  const elsewhere = Object.assign(new Authenticator('http://evil.example'), { id: phone.id })
  expect((await signIn(client, elsewhere.sign(await asked(client, 'auth/start')))).status).toBe(400)
  const forged = Object.assign(new Authenticator(), { id: phone.id })
  expect((await signIn(client, forged.sign(await asked(client, 'auth/start')))).status).toBe(400)
  const invented = phone.sign({ challenge: base64url(randomBytes(32)), rpId: 'localhost' })
  expect((await signIn(client, invented)).status).toBe(400)
})

test('who asks to sign in without end leaves nothing behind', async () => {
  const before = await db.$count(passkeyChallenges)
  const client = await visitor()
  for (let time = 0; time < 30; time++) await asked(client, 'auth/start')
  expect(await db.$count(passkeyChallenges)).toBe(before)
})

test('what an authenticator says of its maker is not looked at, and a long answer is refused at once', async () => {
  const person = await addPerson(system, admin)
  const client = await confirmed(person)
  const chain = (count: number) => ({
    fmt: 'apple',
    attStmt: new Map([['x5c', Array.from({ length: count }, () => new Uint8Array(randomBytes(300)))]]),
  })
  const phone = new Authenticator()
  const options = await asked(client, 'register/start')
  expect((await register(client, phone.make(options, chain(200)))).status).toBe(400)
  expect((await register(client, phone.make(options, chain(2)))).status).toBe(201)
  expect((await client.get(`${passkeys}/`)).body).toHaveLength(1)
})

test('nobody has more than twenty, however many they begin at the same time', async () => {
  const person = await addPerson(system, admin)
  const clients = await Promise.all(Array.from({ length: 3 }, () => confirmed(person)))
  const statuses: number[] = []
  for (let time = 0; time < 22; time++) {
    const client = clients[time % clients.length] as TestClient
    const options = await asked(client, 'register/start')
    if (options.challenge === undefined) statuses.push(400)
    else statuses.push((await register(client, new Authenticator().make(options))).status)
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(20)
})
