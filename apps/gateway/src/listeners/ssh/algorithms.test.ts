import { afterAll, beforeAll, expect, test } from 'vitest'
import { exec, logIn, type Login } from '@sallyport/ssh/testing/log-in'
import { runProgram } from '@sallyport/ssh/testing/run-program'
import { TestServer } from '@sallyport/ssh/testing/test-server'
import { defaultAlgorithms } from '@sallyport/ssh/transport/algorithms'
import { serverAlgorithms } from './algorithms.ts'

let server: TestServer

beforeAll(async () => {
  server = await TestServer.start({ algorithms: serverAlgorithms, methods: () => ['password'] })
})
afterAll(async () => {
  await server.stop()
})

interface Finding {
  level: string
  line: string
}

test('ssh-audit has nothing against what clients are offered, but for what those need who may use nothing else', async () => {
  const { stdout } = await runProgram(['ssh-audit', '-n', '-p', String(server.port), '127.0.0.1'])
  const findings = stdout.split('\n').flatMap((line): Finding[] => {
    const level = /\[(fail|warn)\]/.exec(line)?.[1]
    return level === undefined ? [] : [{ level, line }]
  })
  expect(stdout).toContain('(kex) curve25519-sha256')
  // An older one than the algorithm does not know it.
  expect(findings.filter(({ line }) => !/unknown algorithm|\(kex\) ecdh-sha2-nistp256 /.test(line))).toEqual(
    [],
  )
})

test('our own client finds the curve that all know who know those of NIST alone', async () => {
  const kex = ['ecdh-sha2-nistp521', 'ecdh-sha2-nistp384', 'ecdh-sha2-nistp256']
  const login: Login = {
    port: server.port,
    username: 'ann',
    methods: [{ method: 'password', password: 'any' }],
  }
  const client = await logIn(login, { algorithms: { ...defaultAlgorithms, kex } })
  const session = await exec(client, 'exit 7')
  expect(await session.exited).toEqual({ kind: 'status', code: 7 })
  client.end()
})

test('Dropbear and PuTTY find what they know', async () => {
  const { port, hostKey } = server
  const fingerprint = hostKey?.publicKey.fingerprint ?? ''
  const dropbear = ['dbclient', '-y', '-y', '-p', `${port}`, 'ann@127.0.0.1', 'exit 5']
  expect(await runProgram(dropbear, { env: { DROPBEAR_PASSWORD: 'any' } })).toMatchObject({ code: 5 })
  const putty = ['plink', '-batch', '-hostkey', fingerprint, '-pw', 'any', '-P', `${port}`, '-l', 'ann']
  expect(await runProgram([...putty, '127.0.0.1', 'exit 6'])).toMatchObject({ code: 6 })
})
