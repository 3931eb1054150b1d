import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { gatewaySettings } from './lib/environment.mjs'
import { root } from './lib/workspace.mjs'

test('the gateway is started with nothing in its environment that it does not need', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-environment-'))
  const secrets = {
    SALLYPORT_SECRET_KEY: 'the-secret-key-of-the-server',
    SALLYPORT_ADMIN_PASSWORD: 'the-password-of-the-administrator',
    DATABASE_URL: 'postgres://sallyport:the-password-of-the-database@127.0.0.1:1/none',
    SOMETHING_ELSE: 'a-secret-of-something-else',
  }
  const start = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    env: {
      ...process.env,
      ...secrets,
      UV_THREADPOOL_SIZE: undefined,
      SALLYPORT_ROLES: 'gateway',
      SALLYPORT_DATA: dataDir,
      SALLYPORT_API: 'http://127.0.0.1:1',
      SALLYPORT_SSH: '127.0.0.1:0',
    },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    if (start.exitCode === null) {
      start.kill('SIGTERM')
      await once(start, 'exit')
    }
    await rm(dataDir, { recursive: true, force: true })
  })
  const isGateway = (pid) => read(pid, 'cmdline').includes('apps/gateway/src/main.ts')
  await expect.poll(() => below(start.pid).some(isGateway), { timeout: 60_000 }).toBe(true)
  const programs = below(start.pid)
  for (const pid of programs) {
    const environment = read(pid, 'environ')
    // The warden beside it is given nothing at all.
    if (isGateway(pid)) {
      expect(environment).toContain(`SALLYPORT_DATA=${dataDir}`)
      expect(environment).toContain('UV_THREADPOOL_SIZE=32')
    }
    for (const value of Object.values(secrets)) expect(environment).not.toContain(value)
  }
})

test('every setting a gateway reads is handed to it', () => {
  const config = readFileSync(join(root, 'apps/gateway/src/config.ts'), 'utf8')
  const read = new Set([...config.matchAll(/'(SALLYPORT_\w+)'/g)].map(([, name]) => name))
  expect([...read].filter((name) => !gatewaySettings.includes(name))).toEqual([])
})

/** Processes started by that one, and by those. */
function below(pid) {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => read(name, 'stat').split(') ').at(-1)?.split(' ')[1] === String(pid))
  return children.flatMap((child) => [child, ...below(child)])
}

/** Empty where the process is gone. */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
