import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ZoneGateway } from '@sallyport/contract/gateway/grants'
import { freePort, startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { TestServer } from '@sallyport/ssh/testing/test-server'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keptIn, TestHostKeys } from '../../testing/host-keys.ts'
import type { ShellConnection } from '../../traffic/ports.ts'
import { connectSsh } from '../ssh/connect.ts'
import { TargetError } from '../ssh/errors.ts'
import { Zones, type ZoneLimits } from './zones.ts'

let border: TestSshd
let inner: TestSshd
let zones: Zones | undefined
const logged: string[] = []
beforeAll(async () => {
  border = await startSshd()
  inner = await startSshd()
})
afterEach(() => {
  zones?.stop()
  logged.length = 0
})
afterAll(async () => {
  await border.stop()
  await inner.stop()
})

function start(limits: Partial<ZoneLimits> = {}, books = new TestHostKeys()): Zones {
  const log = pino({ level: 'info' }, { write: (line: string) => logged.push(line) })
  zones = new Zones(keptIn(books), log, limits)
  return zones
}

const gateway = (changes: Partial<ZoneGateway> & { port?: number } = {}): ZoneGateway => ({
  id: randomUUID(),
  name: 'border',
  address: border.host,
  protocols: [{ name: 'ssh', port: changes.port ?? border.port }],
  account: {
    id: '',
    name: 'op',
    username: border.username,
    secret: border.privateKey,
    secret_type: 'ssh_key',
  },
  ...changes,
})

/** To the machine inside, through a zone with these gateways. */
const reach = async (
  through: Zones,
  gateways: ZoneGateway[],
  port = inner.port,
  detour?: (why: TargetError) => void,
): Promise<ShellConnection> =>
  await connectSsh(
    {
      asset_id: randomUUID(),
      address: inner.host,
      port,
      username: inner.username,
      private_key: inner.privateKey,
    },
    {
      dialer: through.dialerOf({ domain: { id: 'z', name: 'DMZ' }, gateways }, 'ann'),
      hostKeys: keptIn(new TestHostKeys()),
      detour,
    },
  )

async function hears(connection: ShellConnection): Promise<string> {
  const channel = await connection.exec('echo here')
  channel.stderr?.resume()
  return await text(channel.stdout)
}

/** What somebody is told. */
const told = async (work: Promise<unknown>): Promise<string> =>
  await work.then(
    () => 'it worked',
    (error: unknown) => (error instanceof TargetError ? error.sentence('en') : String(error)),
  )

const logins = (sshd: TestSshd) => sshd.log().split('Accepted publickey').length - 1

test('sessions share a connection to a gateway, so many of them at most; it is closed when nobody has used it for a while', async () => {
  const through = start({ maxChannels: 2, idleMs: 100 })
  const way = [gateway()]
  const before = logins(border)
  const first = await Promise.all([reach(through, way), reach(through, way)])
  expect(logins(border) - before).toBe(1)
  const third = await reach(through, way)
  expect(logins(border) - before).toBe(2)
  expect(await Promise.all([...first, third].map(hears))).toEqual(['here\n', 'here\n', 'here\n'])
  // Leaving one takes nothing from the other on the same connection.
  first[0]?.end()
  await first[0]?.closed
  expect(first[1] && (await hears(first[1]))).toBe('here\n')
  expect(through.connections).toBe(2)
  first[1]?.end()
  third.end()
  await expect.poll(() => through.connections).toBe(0)
  await expect.poll(() => border.log().split('Disconnected from user').length - 1).toBe(2)
})

test('a gateway that is gone is passed over, and tried last until that was a while ago', async () => {
  const gone = gateway({ name: 'gone', port: await freePort() })
  const way = [gone, gateway()]
  const tries = () => logged.filter((line) => line.includes('led nowhere')).length
  const through = start()
  expect(await hears(await reach(through, way))).toBe('here\n')
  expect(logged.join('\n')).toContain('The gateway gone of the zone DMZ can not be used: 127.0.0.1:')
  expect(tries()).toBe(1)
  expect(await hears(await reach(through, way))).toBe('here\n')
  expect(tries()).toBe(1)
  const forgetful = start({ rememberMs: 0 })
  await reach(forgetful, way)
  await reach(forgetful, way)
  expect(tries()).toBe(3)
  through.stop()
})

test('when every gateway is gone that is one sentence, and the log tells what is wrong with each', async () => {
  const through = start()
  const way = [gateway({ name: 'first', port: await freePort() }), gateway({ name: 'second', account: null })]
  const failed = reach(through, way)
  expect(await told(failed)).toBe(
    `None of the gateways of the domain DMZ leads to 127.0.0.1:${inner.port} at the moment. Tell your administrator`,
  )
  await expect(failed).rejects.toThrow(/first .*nothing listens there; .*second .*has no account/)
  expect(logged.join('\n')).toMatch(/first .*nothing listens there[^]*second .*has no account/)
  expect(through.connections).toBe(0)
})

test('what is wrong with the only gateway is told as it is', async () => {
  const through = start()
  const wrong = { id: '', name: 'op', username: border.username, secret_type: 'ssh_key' as const }
  const of = (changes: Partial<ZoneGateway> = {}) => told(reach(through, [gateway(changes)]))
  expect(await told(reach(through, []))).toContain('the domain DMZ has no gateway that is in use')
  expect(await of({ account: null })).toBe(
    'The gateway border of the domain DMZ has no account with a password or key to sign in with',
  )
  expect(await of({ account: { ...wrong, secret: border.strangerKey } })).toBe(
    `The gateway border of the domain DMZ cannot be used: 127.0.0.1:${border.port} refused the account: its password or key is wrong`,
  )
  expect(await of({ account: { ...wrong, secret: 'no key' } })).toContain('cannot be read')
  const nobody = await freePort()
  expect(await told(reach(through, [gateway()], nobody))).toBe(
    `127.0.0.1:${nobody} cannot be reached from the gateway border of the domain DMZ`,
  )
})

test('a gateway that forwards nothing is told from one that is not there', async () => {
  const closed = await startSshd(['AllowTcpForwarding no'])
  const { port, username, privateKey: secret } = closed
  const account = { id: '', name: 'op', username, secret, secret_type: 'ssh_key' as const }
  const failed = reach(start(), [gateway({ port, account })])
  expect(await told(failed)).toContain('The gateway border of the domain DMZ does not forward connections to')
  await closed.stop()
})

/** A way to a port that can be cut without a word. */
async function cable(port: number) {
  const ends: Socket[] = []
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    ends.push(near, far)
    for (const end of [near, far]) end.on('error', () => {})
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    cut() {
      for (const end of ends) end.unpipe().pause()
    },
    close() {
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}

test('a gateway that falls silent takes exactly the sessions through it along, and each says why', async () => {
  const silent = await cable(border.port)
  const through = start({ keepaliveMs: 100 })
  const broken = gateway({ name: 'silent', port: silent.port })
  const lost = await reach(through, [broken])
  const other = await reach(through, [gateway()])
  const channel = await lost.exec('echo here; sleep 60')
  channel.stderr?.resume()
  await once(channel.stdout, 'data')
  silent.cut()
  const broke = 'The connection to the gateway silent of the domain DMZ broke'
  expect(await told(Promise.reject(await lost.closed))).toBe(broke)
  const exit = await channel.exited
  expect(exit.kind === 'lost' && (await told(Promise.reject(exit.cause)))).toBe(broke)
  expect(await hears(other)).toBe('here\n')
  silent.close()
  // It is tried behind the others for a while.
  expect(await hears(await reach(through, [broken, gateway()]))).toBe('here\n')
  expect(logged).toEqual([])
})

describe('whose host key was refused', () => {
  const refusal = (shown: string) =>
    `The gateway border of the domain DMZ cannot be used: 127.0.0.1:${border.port} shows a host key (${shown}) that no administrator has accepted. Someone may be listening in; ask your administrator`

  test('a gateway leads nobody on any more, although the connection to it is there', async () => {
    const books = new TestHostKeys()
    const through = start({ acceptedForMs: 0 }, books)
    const [way, another] = [gateway(), gateway({ name: 'another' })]
    const before = await reach(through, [way])
    const fingerprint = books.refuse(way.id)
    expect(await told(reach(through, [way]))).toBe(refusal(fingerprint))
    expect(await hears(await reach(through, [way, another]))).toBe('here\n')
    expect(await hears(before)).toBe('here\n')
  })

  test('a gateway takes along what goes through it once that is told, and nothing else', async () => {
    const books = new TestHostKeys()
    const through = start({}, books)
    const [way, another] = [gateway(), gateway({ name: 'another' })]
    const ends = await reach(through, [way])
    const stays = await reach(through, [another])
    const channel = await ends.exec('echo here; sleep 60')
    channel.stderr?.resume()
    await once(channel.stdout, 'data')
    const fingerprint = books.refuse(way.id)
    through.refuseHostKey(way.id, fingerprint)
    expect(await told(Promise.reject(await ends.closed))).toBe(refusal(fingerprint))
    const exit = await channel.exited
    expect(exit.kind === 'lost' && (await told(Promise.reject(exit.cause)))).toBe(refusal(fingerprint))
    expect(await told(reach(through, [way]))).toBe(refusal(fingerprint))
    expect(await hears(stays)).toBe('here\n')
  })
})

describe('while the target is signed in to', () => {
  let target: TestServer
  beforeEach(async () => {
    target = await TestServer.start()
  })
  afterEach(async () => {
    await target.stop()
  })

  test('a gateway that falls silent is replaced by the next one', async () => {
    const silent = await cable(border.port)
    const held = Promise.withResolvers<'refused'>()
    target.authenticate = () => {
      if (target.connections.length > 1) return 'accepted'
      silent.cut()
      return held.promise
    }
    const through = start({ keepaliveMs: 100 })
    const detours: string[] = []
    const way = [gateway({ name: 'silent', port: silent.port }), gateway()]
    const connection = await reach(through, way, target.port, (why) => detours.push(why.sentence('en')))
    expect(await hears(connection)).toBe('here\n')
    expect(detours).toEqual(['The connection to the gateway silent of the domain DMZ broke'])
    held.resolve('refused')
    silent.close()
  })

  test('a gateway that leads to nonsense is passed over', async () => {
    const lying = await TestServer.start({
      onChannel: (opening) => {
        if (opening.type === 'direct-tcpip') opening.accept().end('this is no SSH\r\n'.repeat(100))
      },
    })
    const detours: string[] = []
    const way = [gateway({ name: 'lying', port: lying.port }), gateway()]
    const connection = await reach(start(), way, target.port, (why) => detours.push(why.sentence('en')))
    expect(await hears(connection)).toBe('here\n')
    expect(detours).toEqual([expect.stringMatching(/does not speak SSH|broke/)])
    await lying.stop()
  })

  test('a target that hangs up on a secret is not sent it again another way', async () => {
    target.authenticate = (_request, connection) => {
      connection.destroy()
      return 'refused'
    }
    const way = [gateway({ name: 'first' }), gateway({ name: 'second' })]
    expect(await told(reach(start(), way, target.port))).toBe(
      `The connection to 127.0.0.1:${target.port} broke`,
    )
    expect(target.connections.length).toBe(1)
  })
})
