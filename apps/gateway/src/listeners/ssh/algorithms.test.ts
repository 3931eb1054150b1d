import { afterAll, beforeAll, expect, test } from 'vitest'
import { runProgram } from '@sallyport/ssh/testing/run-program'
import { TestServer } from '@sallyport/ssh/testing/test-server'
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

test('ssh-audit has nothing against what clients are offered', async () => {
  const { stdout } = await runProgram(['ssh-audit', '-n', '-p', String(server.port), '127.0.0.1'])
  const findings = stdout.split('\n').flatMap((line): Finding[] => {
    const level = /\[(fail|warn)\]/.exec(line)?.[1]
    return level === undefined ? [] : [{ level, line }]
  })
  expect(stdout).toContain('(kex) curve25519-sha256')
  // An older one than the algorithm does not know it.
  expect(findings.filter(({ line }) => !line.includes('unknown algorithm'))).toEqual([])
})

test('Dropbear and PuTTY find what they know', async () => {
  const { port, hostKey } = server
  const fingerprint = hostKey?.publicKey.fingerprint ?? ''
  const dropbear = ['dbclient', '-y', '-y', '-p', `${port}`, 'ann@127.0.0.1', 'exit 5']
  expect(await runProgram(dropbear, { env: { DROPBEAR_PASSWORD: 'any' } })).toMatchObject({ code: 5 })
  const putty = ['plink', '-batch', '-hostkey', fingerprint, '-pw', 'any', '-P', `${port}`, '-l', 'ann']
  expect(await runProgram([...putty, '127.0.0.1', 'exit 6'])).toMatchObject({ code: 6 })
})
