/**
 * How many recorded sessions can be opened a second through the whole system: server, database and gateway as they are run, with a key
 * and with a password. Clients and target are our own, in this process, so that little of the machine goes to them; what each program
 * took of the processor is told beside.
 */
import { readFile } from 'node:fs/promises'
import {
  type AuthMethod,
  type Client,
  formatPublicKeyLine,
  generateKey,
  noModes,
  type SoftwareKey,
} from '@sallyport/ssh'
import { logIn } from '@sallyport/ssh/testing/log-in'
import { TestServer } from '@sallyport/ssh/testing/test-server'
import { familyOf } from '../../e2e/src/processes.ts'
import { startSystem, type System } from '../../e2e/src/system.ts'
import { addAccount, addHost, addPerson, grant } from '../../e2e/src/world.ts'
import { type Bench, type Figure, versus } from './figure.ts'

const people = 8
const warmUp = 40
const sessions = 240
const tickMs = 10

/** Milliseconds of processor time a process has taken. */
async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * tickMs
}

async function processorTimes(system: System) {
  const [server = 0, ...database] = await familyOf(system.server.pid)
  const sum = async (pids: number[]) =>
    (await Promise.all(pids.map(processorTime))).reduce((all, one) => all + one, 0)
  return {
    gateway: await sum(await familyOf(system.gateway?.pid ?? 0)),
    server: await processorTime(server),
    database: await sum(database),
    here: await processorTime(process.pid),
  }
}

interface Visitor {
  username: string
  password: string
  key: SoftwareKey
}

/** A target without processes: each shell says it is there. */
async function startTarget(): Promise<TestServer> {
  return await TestServer.start({
    onChannel: (opening) => {
      if (opening.type !== 'session') return opening.refuse('unknownChannelType', 'Only sessions')
      const session = opening.accept()
      session.handlers = { pty: () => true, shell: () => () => void session.write('ready\r\n') }
      session.resume()
    },
  })
}

async function addVisitors(system: System, targetPort: number): Promise<Visitor[]> {
  const { admin } = system
  const host = await addHost(admin, { port: targetPort })
  await addAccount(admin, host.id, { username: 'root', password: 'unused' })
  const visitors: Visitor[] = []
  for (let index = 0; index < people; index++) {
    const key = await generateKey('ssh-ed25519')
    const { id, username, password } = await addPerson(admin, {
      public_key: formatPublicKeyLine(key.publicKey),
    })
    await grant(admin, { users: [id], assets: [host.id] })
    visitors.push({ username: `${username}@root@${host.name}`, password, key })
  }
  return visitors
}

/** From the connection to the first line of the target. */
async function open(port: number, { username }: Visitor, method: AuthMethod): Promise<Client> {
  const client = await logIn({ port, username, methods: [method] })
  const session = await client.openSession()
  await session.pty({ term: 'xterm', modes: noModes, cols: 80, rows: 24, widthPixels: 0, heightPixels: 0 })
  await session.shell()
  for await (const data of session) if (String(data).includes('ready')) break
  return client
}

/** Sessions a second, and what one took of the processor of each program. */
async function measure(
  system: System,
  visitors: readonly Visitor[],
  methodOf: (visitor: Visitor) => AuthMethod,
) {
  const clients: Client[] = []
  const openSome = async (count: number) => {
    const each = visitors.map(async (visitor) => {
      for (let done = 0; done < count / people; done++) {
        clients.push(await open(system.sshPort, visitor, methodOf(visitor)))
      }
    })
    await Promise.all(each)
  }
  await openSome(warmUp)
  const before = await processorTimes(system)
  const begun = performance.now()
  await openSome(sessions)
  const rate = sessions / ((performance.now() - begun) / 1000)
  const after = await processorTimes(system)
  const took = (part: keyof typeof after) =>
    `${part} ${((after[part] - before[part]) / sessions).toFixed(1)} ms`
  const processor = (['gateway', 'server', 'database', 'here'] as const).map(took).join(', ')
  for (const client of clients) client.destroy()
  return { rate, processor }
}

async function run(): Promise<Figure[]> {
  const nodeOptions = process.env.BENCH_NODE_OPTIONS
  const target = await startTarget()
  const system = await startSystem({
    SALLYPORT_LOG: 'warn',
    ...(nodeOptions && { NODE_OPTIONS: nodeOptions }),
  })
  try {
    const visitors = await addVisitors(system, target.port)
    const key = await measure(system, visitors, (visitor) => ({ method: 'publickey', key: visitor.key }))
    const password = await measure(system, visitors, ({ password }) => ({ method: 'password', password }))
    return [figure('with a key', key, 60), figure('with a password', password, 25)]
  } finally {
    await system.stop()
    await target.stop()
  }
}

const figure = (
  how: string,
  { rate, processor }: { rate: number; processor: string },
  asked: number,
): Figure =>
  versus(`recorded sessions a second, ${how} (processor: ${processor})`, rate, asked, '/s', 'at least', 1)

export default { name: 'whole-sessions', run } satisfies Bench
