/** Private keys as people send them: whatever they say of themselves, nobody else waits for them. */
import { execFileSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { Keygen } from '@sallyport/ssh/testing/keygen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let asset: string
beforeAll(async () => {
  admin = await system.admin()
  const platforms = (await admin.get('assets/platforms/?name=Linux')).body
  const host = await admin.post('assets/hosts/', {
    name: 'web',
    address: '192.0.2.1',
    platform: platforms[0]?.['id'],
    protocols: [{ name: 'ssh', port: 22 }],
  })
  asset = String(host.body['id'])
})

const passphrase = 'a passphrase'
const keygen = new Keygen()
afterAll(() => keygen.dispose())
const opensshKey = (rounds: number, given = passphrase) => {
  const { privateText } = keygen.generate(
    `rounds-${rounds}`,
    '-t',
    'ed25519',
    '-a',
    String(rounds),
    '-N',
    given,
  )
  return privateText
}
/** The same key, saying that opening it takes this many rounds. */
function claiming(key: string, rounds: number): string {
  const [, body = ''] = /-----BEGIN [A-Z ]+-----([^-]*)-----END/.exec(key) ?? []
  const bytes = Buffer.from(body, 'base64')
  const name = bytes.indexOf('bcrypt')
  const salt = bytes.readUInt32BE(name + 'bcrypt'.length + 4)
  bytes.writeUInt32BE(rounds, name + 'bcrypt'.length + 8 + salt)
  return key.replace(body, `\n${bytes.toString('base64')}\n`)
}
const send = (secret: string, username = createHash('md5').update(secret).digest('hex')) =>
  admin.post('accounts/accounts/', {
    asset,
    name: username,
    username,
    secret_type: 'ssh_key',
    secret,
    passphrase,
  })

describe('a private key', () => {
  test('that claims 1,200 rounds of bcrypt is refused with a sentence, at once', async () => {
    const answer = await send(claiming(opensshKey(16), 1200))
    expect(answer).toMatchObject({ status: 400, body: [expect.stringContaining('too many rounds')] })
  })

  test('that claims two thousand million iterations is refused the same way', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
    const [, body = ''] = /-----BEGIN [A-Z ]+-----([^-]*)-----END/.exec(pem) ?? []
    const bytes = Buffer.from(body, 'base64')
    // INTEGER 2048, made four bytes long; the three sequences around it and the octets beside grow by two.
    const at = bytes.indexOf(Buffer.from([0x02, 0x02, 0x08, 0x00]))
    const larger = Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from([0x02, 0x04, 0x7f, 0xff, 0xff, 0xff]),
      bytes.subarray(at + 4),
    ])
    const grow = (index: number) => larger.writeUInt8(larger.readUInt8(index) + 2, index)
    // The outermost length is two octets.
    grow(2)
    for (let index = 3; index < at; index += 1)
      if (larger[index] === 0x30 && index + 2 + larger.readUInt8(index + 1) >= at) grow(index + 1)
    const claimed = pem.replace(body, `\n${larger.toString('base64')}\n`)
    expect(await send(claimed)).toMatchObject({
      status: 400,
      body: [expect.stringContaining('too many rounds')],
    })
  })

  test('that takes long to open holds nobody else up, and is kept without its passphrase', async () => {
    const order: string[] = []
    const saving = send(opensshKey(40), 'slow').then((answer) => {
      order.push('saved')
      return answer
    })
    for (let count = 0; count < 3; count += 1) await admin.get('/api/health/')
    order.push('others')
    expect((await saving).status).toBe(201)
    expect(order).toEqual(['others', 'saved'])
  })

  test('as PuTTY writes it is taken, and has the fingerprint its owner knows', async () => {
    keygen.generate('putty', '-t', 'ed25519')
    const options = [
      '-O',
      'private',
      '-o',
      'putty.ppk',
      '--new-passphrase',
      keygen.write('phrase', passphrase),
    ]
    execFileSync('puttygen', ['putty', ...options], { cwd: keygen.folder })
    const [, md5 = ''] = keygen.run('-l', '-E', 'md5', '-f', 'putty.pub').split(' ')
    expect(await send(keygen.read('putty.ppk'), 'putty')).toMatchObject({
      status: 201,
      body: { spec_info: { ssh_key_fingerprint: md5.replace('MD5:', '') } },
    })
  })

  test('as an old target wants it, short RSA, is taken', async () => {
    expect(await send(keygen.generate('short', '-t', 'rsa', '-b', '1024').privateText)).toMatchObject({
      status: 201,
    })
  })

  test('with another passphrase is refused', async () => {
    expect(await send(opensshKey(4, 'another'))).toMatchObject({
      status: 400,
      body: [expect.stringContaining('passphrase')],
    })
  })
})
