import { afterAll, beforeAll, expect, test } from 'vitest'
import { exec, shell, type TestClient } from '../testing/client.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'
import type { TestHost } from '../testing/people.ts'
import { startSshd } from '@sallyport/ssh/testing/sshd'
import { Connections } from './connections.ts'
import { NoAnswerError } from './questions.ts'
import type { Session } from './session.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})

/** Opens a session on a channel of the person's connection `origin`. */
function open(origin: object, client: TestClient, host: TestHost = bench.host): Session {
  const token = bench.server.createToken(bench.user, host)
  return bench.gateway.openSession({
    client,
    origin,
    login_from: 'ST',
    remote_addr: '127.0.0.9',
    language: 'en',
    user_id: bench.user.id,
    ask: async () => ({ grant: await bench.gateway.api.tokenSecret(token.id, 'en') }),
  })
}

/** The target's side of the connection a command ran on. */
async function connectionOf(origin: object, host?: TestHost): Promise<string> {
  const client = exec('echo $SSH_CONNECTION').collect()
  expect(await open(origin, client, host).done).toMatchObject({ reason: 'target_closed' })
  return client.text.trim()
}

async function openShell(origin: object, host?: TestHost) {
  const client = shell().collect()
  const session = open(origin, client, host)
  client.type('echo "<$SSH_CONNECTION>"\n')
  await expect.poll(() => client.text).toMatch(/<\d[^>]*>/)
  return { client, session, connection: /<(\d[^>]*)>/.exec(client.text)?.[1] }
}

const isConnected = (connection: string | undefined) =>
  !bench.sshd.log().includes(`from 127.0.0.1 port ${connection?.split(' ')[1]}:11`)

test('the channels of a person’s connection share the one to the target, each is a session of its own; it closes with the last', async () => {
  const origin = {}
  const { client, session, connection } = await openShell(origin)
  expect(await connectionOf(origin)).toBe(connection)
  expect(await connectionOf({})).not.toBe(connection)
  const other = exec('read x; echo "got $x"').collect()
  const command = open(origin, other)
  await expect.poll(() => command.state).toBe('live')
  client.type('exit\n')
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
  expect(isConnected(connection)).toBe(true)
  other.stdin.end('it\n')
  expect(await command.done).toMatchObject({ reason: 'target_closed' })
  expect(other.text).toBe('got it\n')
  await expect.poll(() => isConnected(connection)).toBe(false)
  for (const { id } of [session, command]) {
    await expect.poll(() => bench.server.sessions.get(id)?.end_reason).toBe('target_closed')
    await expect.poll(() => bench.server.recordings.get(id)?.finished).toBeTruthy()
  }
  expect(await bench.server.outputText(command.id)).toBe('got it\n')
})

test('ending one session ends nothing of the others', async () => {
  const origin = {}
  const first = await openShell(origin)
  const second = await openShell(origin)
  expect(second.connection).toBe(first.connection)
  bench.server.kill(first.session.id, { terminated_by: 'Eve(eve)' })
  expect(await first.session.done).toMatchObject({ reason: 'killed' })
  second.client.type('echo still-$((1+1)); exit\n')
  expect(await second.session.done).toMatchObject({ reason: 'target_closed' })
  expect(second.client.text).toContain('still-2\r\n')
})

test('a right that was taken away opens nothing, although the connection is there', async () => {
  const origin = {}
  const { session } = await openShell(origin)
  const token = bench.server.createToken(bench.user, bench.host)
  const client = exec('echo never').collect()
  const refused = bench.gateway.openSession({
    client,
    origin,
    login_from: 'ST',
    remote_addr: '127.0.0.9',
    language: 'en',
    user_id: bench.user.id,
    ask: async () => {
      const grant = await bench.gateway.api.tokenSecret(token.id, 'en')
      return { grant: { ...grant, actions: [] } }
    },
  })
  expect(await refused.done).toMatchObject({ reason: 'refused' })
  expect(client.text).toBe('')
  session.end({ reason: 'killed', detail: '' })
})

test('another account on the same machine has a connection of its own', async () => {
  const origin = {}
  const { host, port, username, strangerKey } = bench.sshd
  const { session, connection } = await openShell(origin)
  const wrong = { username, secret: strangerKey, secret_type: 'ssh_key' as const }
  const foreign = bench.server.addHost(host, port, wrong)
  bench.server.allow(bench.user, foreign)
  const client = exec('echo never').collect()
  expect(await open(origin, client, foreign).done).toMatchObject({ reason: 'target_failed' })
  expect(client.text).toBe('')
  expect(await connectionOf(origin)).toBe(connection)
  session.end({ reason: 'killed', detail: '' })
})

test('one who leaves while it connects does not take the connection from the next', async () => {
  const origin = {}
  const leaving = exec('echo one').collect()
  const staying = exec('echo two').collect()
  // What is stopped takes connections and says nothing.
  process.kill(bench.sshd.pid, 'SIGSTOP')
  const sessions = [open(origin, leaving), open(origin, staying)]
  await expect.poll(() => sessions.map(({ state }) => state)).toEqual(['connecting', 'connecting'])
  leaving.leave()
  expect(await sessions[0]?.done).toMatchObject({ reason: 'client_left' })
  process.kill(bench.sshd.pid, 'SIGCONT')
  expect(await sessions[1]?.done).toMatchObject({ reason: 'target_closed' })
  expect(staying.text).toBe('two\n')
})

test('where the target takes no more channels on one connection, the next session has another', async () => {
  const sshd = await startSshd(['MaxSessions 1'])
  const { host: address, port, username, privateKey: secret } = sshd
  const host = bench.server.addHost(address, port, { username, secret, secret_type: 'ssh_key' })
  bench.server.allow(bench.user, host)
  const origin = {}
  const { session, connection } = await openShell(origin, host)
  const second = await connectionOf(origin, host)
  expect(second).toMatch(/^127/)
  expect(second).not.toBe(connection)
  session.end({ reason: 'killed', detail: '' })
  await session.done
  await sshd.stop()
})

test('a command whose connection to the target goes without a word is lost, and the person is told', async () => {
  const client = exec('echo part; sleep 0.2; kill -9 $PPID').collect()
  const session = open({}, client)
  expect(await session.done).toEqual({
    reason: 'target_lost',
    detail: expect.stringMatching(/^The connection to 127\.0\.0\.1:\d+ broke/),
  })
  expect(client.text).toContain('part')
  expect([client.errorOutput, ...client.notices].join()).toContain('The connection was lost')
})

test('a shell whose target closes the connection has ended, as network devices end one', async () => {
  const client = shell().collect()
  const session = open({}, client)
  client.type('kill -9 $PPID\n')
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
})

test('when the host key of a machine is refused, what runs on it ends and says so, and nothing else', async () => {
  const { host: address, port, username, privateKey: secret } = bench.sshd
  const host = bench.server.addHost(address, port, { username, secret, secret_type: 'ssh_key' })
  bench.server.allow(bench.user, host)
  const [ends, stays] = [await openShell({}, host), await openShell({})]
  bench.server.refuseHostKey(host.id)
  expect(await ends.session.done).toMatchObject({
    reason: 'target_lost',
    detail: expect.stringMatching(/^127\.0\.0\.1:\d+ shows a host key .* that no administrator has accepted/),
  })
  expect(await open({}, exec('true').collect(), host).done).toMatchObject({ reason: 'target_failed' })
  stays.client.type('echo still-$((1+1)); exit\n')
  expect(await stays.session.done).toMatchObject({ reason: 'target_closed' })
  expect(stays.client.text).toContain('still-2\r\n')
})

test('a machine that may show another host key by now is connected to anew, although the connection is there', async () => {
  let opened = 0
  const connections = new Connections(async () => {
    opened++
    return { closed: new Promise(() => {}), hostKey: 'SHA256:old', end: () => {} }
  })
  const { id } = bench.server.createToken(bench.user, bench.host)
  const grant = await bench.gateway.api.tokenSecret(id, 'en')
  const { signal } = new AbortController()
  const leaseOf = async (fingerprint: string) => {
    const hostKeys = { address: '', keys: [{ algorithm: 'ssh-ed25519', key: '', fingerprint }], atMs: 0 }
    return await connections.lease({ grant, hostKeys }, signal, { ask: undefined, detour() {} })
  }
  await leaseOf('SHA256:old')
  expect((await leaseOf('SHA256:old')).isFresh).toBe(false)
  expect((await leaseOf('SHA256:new')).isFresh).toBe(true)
  expect(opened).toBe(2)
})

test('where one session could not be asked, another that waits for the same connection is', async () => {
  const asked: string[] = []
  const connections = new Connections(async (_grant, signal, { ask }) => {
    if (!ask) throw new Error('not asked', { cause: new NoAnswerError('nobody') })
    asked.push(...(await ask({ where: '', name: '', instruction: '', questions: [] }, signal)))
    return { closed: new Promise(() => {}), end: () => {} }
  })
  const { id } = bench.server.createToken(bench.user, bench.host)
  const grant = await bench.gateway.api.tokenSecret(id, 'en')
  const { signal } = new AbortController()
  const leases = [undefined, async () => ['by the second']].map((ask) =>
    connections.lease({ grant }, signal, { ask, detour() {} }),
  )
  const [first, second] = await Promise.allSettled(leases)
  expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled'])
  expect(asked).toEqual(['by the second'])
})
