/**
 * From an auditor's request to end a session until the person's SSH client is gone and the books say it is closed: asked of the server
 * the gateway is connected to, and of another one on the same database.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSshd } from '@sallyport/ssh/testing/sshd'
import { startEmbeddedPostgres } from '../../apps/server/src/kernel/database/embedded.ts'
import { createLog } from '../../apps/server/src/kernel/log.ts'
import { Api } from '../../e2e/src/api.ts'
import { eventually, freePort, startProgram } from '../../e2e/src/processes.ts'
import { shell, type SshLogin } from '../../e2e/src/ssh.ts'
import { adminPassword, startSystem } from '../../e2e/src/system.ts'
import { addAccount, addHost, addPerson, grant } from '../../e2e/src/world.ts'
import { below, type Bench, type Figure } from './figure.ts'

const rounds = 10

interface Rows {
  results: { id: string; is_finished: boolean }[]
}

/** Milliseconds; the books are asked every 10 ms. */
async function killOne(admin: Api, login: SshLogin): Promise<number> {
  const person = await shell(login)
  await eventually('a prompt', () => person.screen().includes('$'))
  const id = await eventually(
    'the session online',
    async () =>
      (await admin.get<Rows>('/api/v1/terminal/sessions/?limit=1&is_finished=false')).results[0]?.id,
  )
  const begun = performance.now()
  const isClosed = async () =>
    (await admin.get<{ is_finished: boolean }>(`/api/v1/terminal/sessions/${id}/`)).is_finished
  await admin.post('/api/v1/terminal/tasks/kill-session/', [id])
  await person.ended
  while (!(await isClosed())) {
    if (performance.now() - begun > 10_000) throw new Error('the session is still open on the books')
    await sleep(10)
  }
  return performance.now() - begun
}

async function run(): Promise<Figure[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLog('warn') })
  const system = await startSystem({ SALLYPORT_LOG: 'warn', DATABASE_URL: postgres.url })
  const sshd = await startSshd()
  const otherOrigin = `http://127.0.0.1:${await freePort()}`
  const other = await startProgram('apps/server/src/main.ts', {
    ...system.env,
    SALLYPORT_HTTP: new URL(otherOrigin).host,
  })
  try {
    const { admin } = system
    const host = await addHost(admin, { port: sshd.port })
    await addAccount(admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
    const person = await addPerson(admin)
    await grant(admin, { users: [person.id], assets: [host.id] })
    const login = {
      port: system.sshPort,
      login: `${person.username}@${sshd.username}@${sshd.host}`,
      password: person.password,
    }
    const nodes = { own: admin, other: await Api.signIn(otherOrigin, 'admin', adminPassword) }
    const times = { own: [] as number[], other: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      times.own.push(await killOne(nodes.own, login))
      times.other.push(await killOne(nodes.other, login))
    }
    const figure = (name: string, values: number[]) =>
      below(`from kill to closed, ${name}, slowest of ${rounds}`, Math.max(...values), 1000, 'ms')
    return [figure('same node', times.own), figure('other node', times.other)]
  } finally {
    await other.kill()
    await system.stop()
    await sshd.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export default { name: 'kill', run } satisfies Bench
