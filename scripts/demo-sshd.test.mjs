import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { prepareDemoSshd, startDemoSshd } from './lib/demo-sshd.mjs'
import { EarlyExit } from './lib/supervisor.mjs'

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

test("another address is taken where the live host's own was taken meanwhile", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-demo-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const hadAccount = process.getuid() !== 0 || hasAccount('sallyport-demo')
  onTestFinished(async () => {
    if (!hadAccount) await run('userdel', ['--remove', 'sallyport-demo'])
  })
  const taken = []
  const { port } = await startDemoSshd(dataDir, async ({ command, args, uid, gid }) => {
    const own = Number(args.at(-1))
    if (taken.length === 0) {
      const other = createServer().listen(own, '127.0.0.1')
      await once(other, 'listening')
      onTestFinished(() => new Promise((done) => other.close(done)))
    }
    taken.push(own)
    const sshd = spawn(command, args, { cwd: '/', uid, gid, stdio: 'ignore' })
    const ended = once(sshd, 'exit').then(() => 'ended')
    onTestFinished(async () => {
      sshd.kill('SIGTERM')
      await ended
    })
    const listens = async () => (await banner(own)) || (await sleep(50).then(listens))
    if (taken.length === 1 ? await ended : (await Promise.race([ended, listens()])) === 'ended')
      throw new EarlyExit('demo host', 255)
  })
  expect(taken).toEqual([expect.any(Number), port])
  expect(port).not.toBe(taken[0])
})

/** What whoever listens there says first; nothing where nobody does. */
async function banner(port) {
  const socket = connect(port, '127.0.0.1')
  try {
    const [said] = await once(socket, 'data')
    return String(said)
  } catch {
    return ''
  } finally {
    socket.destroy()
  }
}

const hasAccount = (name) => readFileSync('/etc/passwd', 'utf8').includes(`\n${name}:`)
