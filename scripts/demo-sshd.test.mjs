import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDemoSshd } from './lib/demo-sshd.mjs'

const run = promisify(execFile)

test("the demo's live host lets its own account in by key, at the same address after a restart", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-demo-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const hadAccount = process.getuid() !== 0 || hasAccount('sallyport-demo')
  const { address, command, args, uid, gid } = await prepareDemoSshd(dataDir)
  expect((await prepareDemoSshd(dataDir)).address).toEqual(address)
  const sshd = spawn(command, args, { cwd: '/', uid, gid, stdio: 'inherit' })
  onTestFinished(async () => {
    sshd.kill('SIGTERM')
    await once(sshd, 'exit')
    if (!hadAccount) await run('userdel', ['--remove', 'sallyport-demo'])
  })
  const options = [
    '-Fnone',
    '-oBatchMode=yes',
    '-oStrictHostKeyChecking=no',
    '-oUserKnownHostsFile=/dev/null',
    '-oLogLevel=ERROR',
    `-oIdentityFile=${address.private_key_file}`,
    `-p${address.port}`,
  ]
  const login = () =>
    run('ssh', [...options, `${address.username}@${address.host}`, 'id -un; tty -s; echo $?'])
  await expect
    .poll(
      () =>
        login().then(
          ({ stdout }) => stdout,
          () => '',
        ),
      { timeout: 20_000, interval: 200 },
    )
    .toBe(`${address.username}\n1\n`)
})

const hasAccount = (name) => readFileSync('/etc/passwd', 'utf8').includes(`\n${name}:`)
