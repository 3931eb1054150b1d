/** How long a thousand hosts take to be tested, each by a login over SSH, and how much longer a session's keys take meanwhile. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ClientSession, noModes, parsePrivateKey, type AuthMethod } from '@sallyport/ssh'
import { logIn } from '@sallyport/ssh/testing/log-in'
import { startSshd } from '@sallyport/ssh/testing/sshd'
import { eventually } from '../../e2e/src/processes.ts'
import { startSystem, type System } from '../../e2e/src/system.ts'
import { addAccount, addHost, addPerson, grant } from '../../e2e/src/world.ts'
import { below, type Bench, type Figure, percentile, plain } from './figure.ts'

const hosts = 1000
const atATime = 100
const warmUp = 50

const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** A thousand assets at one place, each with an account. Answers their ids. */
async function addHosts({ admin }: System, port: number): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < hosts; from += atATime) {
    const rows = Array.from({ length: atATime }, (_none, n) => ({
      name: `reachable-${from + n}`,
      address: '127.0.0.1',
      platform: 1,
      protocols: [{ name: 'ssh', port }],
      accounts: [{ name: 'root', username: 'root', secret_type: 'password', secret: 'right' }],
    }))
    const made = await admin.post<{ id: string }[]>('/api/v1/assets/hosts/', rows)
    ids.push(...made.map(({ id }) => id))
  }
  return ids
}

/** New hosts are tested by themselves. */
async function untilTested({ admin }: System): Promise<void> {
  await eventually(
    'the tests of new hosts',
    async () => {
      const path = '/api/v1/ops/task-executions/?kind=assets.check-new&is_finished=0&limit=1'
      const { count } = await admin.get<{ count: number }>(path)
      return count === 0
    },
    300_000,
  )
}

/** A terminal whose program gives back each key. */
async function echoing(port: number, username: string, method: AuthMethod): Promise<ClientSession> {
  const client = await logIn({ port, username, methods: [method] })
  const session = await client.openSession()
  await session.pty({ term: 'xterm', cols: 80, rows: 24, widthPixels: 0, heightPixels: 0, modes: noModes })
  await session.exec('stty raw -echo; echo ready; exec cat')
  let shown = ''
  const isReady = new Promise<void>((resolve) => {
    const look = (data: Buffer) => {
      shown += data.toString()
      if (!shown.includes('ready')) return
      session.off('data', look)
      resolve()
    }
    session.on('data', look)
  })
  await isReady
  return session
}

/** Milliseconds of each key until the signal aborts. */
async function keys(session: ClientSession, signal: AbortSignal): Promise<number[]> {
  const times: number[] = []
  while (!signal.aborted) {
    const from = performance.now()
    const back = once(session, 'data', { signal: AbortSignal.timeout(20_000) })
    session.write('x')
    await back
    times.push(performance.now() - from)
    await sleep(5)
  }
  return times
}

async function measure(system: System, target: ChildProcess): Promise<Figure[]> {
  const { gateway } = system
  if (!gateway) throw new Error('no gateway')
  const [{ port }] = (await once(target, 'message')) as [{ port: number }]
  const ids = await addHosts(system, port)
  const sshd = await startSshd()
  try {
    const host = await addHost(system.admin, { port: sshd.port, address: '127.0.0.1' })
    await addAccount(system.admin, host.id, sshd)
    const ann = await addPerson(system.admin)
    await grant(system.admin, { users: [ann.id], assets: [host.id] })
    await untilTested(system)
    const direct = await echoing(sshd.port, sshd.username, {
      method: 'publickey',
      key: parsePrivateKey(sshd.privateKey),
    })
    const through = await echoing(system.sshPort, `${ann.username}@${sshd.username}@${host.name}`, {
      method: 'password',
      password: ann.password,
    })
    const over = new AbortController()
    const before = await Promise.all([
      keys(direct, AbortSignal.timeout(3000)),
      keys(through, AbortSignal.timeout(3000)),
    ])
    await gateway.ask('turn', 'turn')
    const typing = Promise.all([keys(direct, over.signal), keys(through, over.signal)])
    const from = performance.now()
    const { task } = await system.admin.post<{ task: string }>('/api/v1/assets/assets/tasks/', {
      action: 'test',
      assets: ids,
    })
    const done = await eventually(
      'a thousand hosts',
      async () => {
        const row = await system.admin.get<{ is_finished: boolean; summary: { ok: number } }>(
          `/api/v1/ops/task-executions/${task}/`,
        )
        return row.is_finished && row
      },
      300_000,
    )
    const seconds = (performance.now() - from) / 1000
    over.abort()
    const [straight, session] = await typing
    const { longest } = (await gateway.ask('turn', 'turn')) as unknown as { longest: number }
    if (done.summary.ok !== hosts) throw new Error(`${done.summary.ok} of ${hosts} hosts were reached`)
    const added = (share: number) =>
      Math.max(percentile(session.slice(warmUp), share) - percentile(straight.slice(warmUp), share), 0.01)
    const name = `${hosts} hosts tested over SSH`
    const quiet = percentile(before[1], 0.99) - percentile(before[0], 0.99)
    return [
      below(name, seconds, 20, 's'),
      below(`${name}: longest turn of the sessions' thread`, longest, 10, 'ms'),
      below(`${name}: added echo time of a session, p50`, added(0.5), 10, 'ms'),
      below(`${name}: added echo time of a session, p99`, added(0.99), 10, 'ms'),
      plain(`${name}: added echo time before, p99`, `${quiet.toFixed(2)} ms`),
    ]
  } finally {
    await sshd.stop()
  }
}

async function run(): Promise<Figure[]> {
  const target = fork(pathOf('reachability-hosts.ts'))
  const system = await startSystem({
    SALLYPORT_LOG: 'warn',
    NODE_OPTIONS: `--import=${pathOf('turn-monitor.ts')}`,
  })
  try {
    return await measure(system, target)
  } finally {
    await system.stop()
    target.kill()
  }
}

export default { name: 'reachability', run } satisfies Bench
