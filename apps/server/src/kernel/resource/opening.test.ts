/** Envelopes of secrets cost a private key's work each: whoever sends many holds up nobody else. */
import { constants, createCipheriv, publicEncrypt } from 'node:crypto'
import { envelopeKey, formatEnvelope, padZeros } from '@sallyport/contract/envelope'
import { expect, test } from 'vitest'
import { startTestSystem, type TestAnswer } from '../../testing.ts'
import { longestTurnMs } from '../testing/turns.ts'

const system = await startTestSystem()
const admin = await system.admin()

function sealed(text: string): string {
  const key = Buffer.from('sixteen bytes ok')
  const aes = createCipheriv('aes-128-ecb', envelopeKey(key), null).setAutoPadding(false)
  const padding = constants.RSA_PKCS1_PADDING
  return formatEnvelope({
    keyCipher: publicEncrypt({ key: system.ground.secrets.publicKey, padding }, key).toString('base64'),
    cipher: Buffer.concat([aes.update(padZeros(text)), aes.final()]).toString('base64'),
  })
}
const secret = sealed('s3cret')
const accounts = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `a${at}`, secret }))

/** What was asked, and the longest that anybody else had to wait meanwhile. */
async function meanwhile(ask: () => Promise<TestAnswer>) {
  const answered = Promise.withResolvers<TestAnswer>()
  const longestMs = await longestTurnMs(async () => answered.resolve(await ask()))
  return { answer: await answered.promise, longestMs }
}

test('a list that is too long is refused before its secrets are opened, and others are answered meanwhile', async () => {
  const host = { name: 'big', address: '10.0.0.1', platform: 1, accounts: accounts(20_000) }
  const { answer, longestMs } = await meanwhile(() => admin.post('assets/hosts/', [host]))
  expect(answer).toMatchObject({ status: 400, body: [{ accounts: [expect.stringMatching(/1000/)] }] })
  expect(longestMs).toBeLessThan(1000)
})

test('as many secrets as one call may bring are opened beside everything else', async () => {
  const hosts = [1, 2].map((at) => ({ address: '10.0.0.1', platform: 1, accounts: accounts(1000), at }))
  const { answer, longestMs } = await meanwhile(() => admin.post('assets/hosts/', hosts))
  // All of it was looked at: only the names are missing.
  expect(answer).toMatchObject({ status: 400, body: hosts.map(() => ({ name: [expect.any(String)] })) })
  expect(longestMs).toBeLessThan(1000)
})

test('more of them are refused', async () => {
  const hosts = [1, 2, 3].map((at) => ({
    name: `h${at}`,
    address: '10.0.0.1',
    platform: 1,
    accounts: accounts(900),
  }))
  expect(await admin.post('assets/hosts/', hosts)).toMatchObject({
    status: 400,
    body: { non_field_errors: [expect.stringMatching(/2000/)] },
  })
})

test('a few and many are opened alike, each in its place', async () => {
  const { secrets } = system.ground
  const mixed = Array.from({ length: 300 }, (_, at) => (at % 3 === 0 ? 'plain' : sealed(`text ${at}`)))
  const opened = mixed.map((_text, at) => (at % 3 === 0 ? 'plain' : `text ${at}`))
  expect(await secrets.openEnvelopes(mixed)).toEqual(opened)
  expect(await secrets.openEnvelopes(mixed.slice(0, 3))).toEqual(opened.slice(0, 3))
})
