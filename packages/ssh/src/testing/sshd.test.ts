import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sshOptions, startSshd, type TestSshd } from './sshd.ts'

const run = promisify(execFile)
let sshd: TestSshd
beforeAll(async () => {
  sshd = await startSshd()
})
afterAll(() => sshd.stop())

const login = (keyFile: string) =>
  run('ssh', [
    ...sshOptions,
    '-p',
    String(sshd.port),
    '-i',
    keyFile,
    `${sshd.username}@${sshd.host}`,
    'whoami',
  ])

test('OpenSSH logs in with the key of the account and not with a stranger’s', async () => {
  expect((await login(sshd.privateKeyFile)).stdout.trim()).toBe(sshd.username)
  await expect(login(sshd.strangerKeyFile)).rejects.toThrow('Permission denied')
})

test('a restart with another host key keeps port and account', async () => {
  const before = sshd.hostKey
  await sshd.changeHostKey()
  expect(sshd.hostKey).not.toBe(before)
  expect((await login(sshd.privateKeyFile)).stdout.trim()).toBe(sshd.username)
})
