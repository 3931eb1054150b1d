import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ZoneGateway } from '@sallyport/contract/gateway/grants'
import { type ProbeTarget, probeResultSchema, reasonSentence } from '@sallyport/contract/gateway/probes'
import { startSshd, freePort, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { TestServer } from '@sallyport/ssh/testing/test-server'
import { ServerAwayError, ServerRefusedError } from '../api/errors.ts'
import { Zones } from '../targets/zones/zones.ts'
import { startListener } from '../testing/listener.ts'
import { keptIn, TestHostKeys } from '../testing/host-keys.ts'
import { parseFacts } from './facts.ts'
import { probe } from './probe.ts'

let sshd: TestSshd
const ends: (() => Promise<unknown> | void)[] = []

beforeAll(async () => {
  sshd = await startSshd()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(() => sshd.stop())

/** An account that is not become from another one. */
const itself = { su_from: null, su_method: 'su' } as const

const target = (changes: Partial<ProbeTarget> = {}): ProbeTarget => {
  const port = changes.port ?? sshd.port
  return {
    at: 0,
    asset: { id: randomUUID(), name: 'box', address: '127.0.0.1', db_name: '', tls: null },
    method: 'ssh',
    port,
    leads_to: null,
    domain: null,
    old_ssh_version: false,
    account: { username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey, ...itself },
    host_keys: { address: `127.0.0.1:${port}`, keys: [] },
    ...changes,
  }
}
const withPassword = (secret: string, username = sshd.username) =>
  ({ username, secret_type: 'password', secret, ...itself }) as const

async function tried(
  changes: Partial<ProbeTarget> = {},
  {
    facts = false,
    books = new TestHostKeys(),
    api = keptIn(books),
    gateways = [] as ZoneGateway[],
    onTrouble = (error: Error): void => {
      throw error
    },
  } = {},
) {
  const result = await probe(target(changes), {
    api,
    onTrouble,
    facts,
    ways: new Zones(api, { warn: () => {} }, { idleMs: 1 }),
    zones: [{ domain: { id: 'z', name: 'DMZ' }, gateways }],
    signal: new AbortController().signal,
  })
  // What it tells is what the server takes.
  return probeResultSchema.parse(result)
}
const failed = (code: string, params: object = {}) => ({
  is_ok: false,
  reason: { code, params: expect.objectContaining(params) },
})

/** Something that listens and does as it is told with who connects. */
async function listener(onSocket: (socket: Socket) => void): Promise<number> {
  const { port, close } = await startListener(onSocket)
  ends.push(close)
  return port
}

describe('a host', () => {
  test('is signed in to with a key, and with a password', async () => {
    expect(await tried()).toMatchObject({ is_ok: true, reason: null })
    if (sshd.password)
      expect(await tried({ account: withPassword(sshd.password) })).toMatchObject({ is_ok: true })
  })

  test('that refuses the password says so', async () => {
    const result = await tried({ account: withPassword('wrong') })
    expect(result).toMatchObject(failed('target_auth_failed', { where: `127.0.0.1:${sshd.port}` }))
    expect(JSON.stringify(result)).not.toContain('wrong"')
  })

  test('that knows another key says so', async () => {
    const account = {
      username: sshd.username,
      secret_type: 'ssh_key' as const,
      secret: sshd.strangerKey,
      ...itself,
    }
    expect(await tried({ account })).toMatchObject(failed('target_auth_failed'))
  })

  // Only root makes users to switch between.
  test.runIf(process.getuid?.() === 0)('is signed in to as one account to become the other', async () => {
    const other = await startSshd()
    ends.push(() => other.stop())
    const su_from = { username: sshd.username, secret_type: 'ssh_key', secret: sshd.privateKey } as const
    const become = (secret: string) => ({ ...withPassword(secret, other.username), su_from })
    expect(await tried({ account: become(other.password ?? '') })).toMatchObject({ is_ok: true })
    expect(await tried({ account: become('wrong') })).toMatchObject(
      failed('su_refused', { from: sshd.username, to: other.username }),
    )
  })

  test('where nothing listens is not reachable', async () => {
    const port = await freePort()
    expect(await tried({ port })).toMatchObject(failed('target_refused', { where: `127.0.0.1:${port}` }))
    expect(await tried({ port, method: 'port', account: null })).toMatchObject(failed('target_refused'))
  })

  test('that accepts and says nothing is given up', async () => {
    const port = await listener(() => {})
    expect(await tried({ port })).toMatchObject(failed('target_no_answer'))
    // Its port alone is open.
    expect(await tried({ port, method: 'port', account: null })).toMatchObject({ is_ok: true })
  })

  test('that speaks something else says so', async () => {
    const port = await listener((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await tried({ port })).toMatchObject({ is_ok: false })
  })

  test('that shows another host key than before is not signed in to', async () => {
    const server = await TestServer.start()
    ends.push(() => server.stop())
    const books = new TestHostKeys()
    const asset = { ...target().asset }
    expect(await tried({ asset, port: server.port }, { books })).toMatchObject({ is_ok: true })
    const [known] = books.shown
    const keys = known ? [{ ...known, key: Buffer.from('another').toString('base64') }] : []
    const host_keys = { address: `127.0.0.1:${server.port}`, keys }
    for (const key of books.shown) key.key = keys[0]?.key ?? ''
    expect(await tried({ asset, port: server.port, host_keys }, { books })).toMatchObject(
      failed('target_host_key_changed'),
    )
  })

  test.each([
    ['that is away', new ServerAwayError('nothing listens there')],
    ['that refuses', new ServerRefusedError('seen', 400, { code: 'host_key_elsewhere' })],
  ])(
    'is not unreachable because of a server %s: nobody came to know, and the log is told',
    async (_, error) => {
      const api = { ...keptIn(new TestHostKeys()), reportHostKey: () => Promise.reject(error) }
      const account = { id: '', name: 'op', username: sshd.username, secret: sshd.privateKey }
      const way: ZoneGateway = {
        id: randomUUID(),
        name: 'border',
        address: sshd.host,
        protocols: [{ name: 'ssh', port: sshd.port }],
        account: { ...account, secret_type: 'ssh_key' },
      }
      for (const place of [{}, { method: 'gateway' }, { domain: 'z' }] as const) {
        const told: Error[] = []
        const onTrouble = (trouble: Error) => void told.push(trouble)
        expect(await tried(place, { api, gateways: [way], onTrouble })).toMatchObject({
          is_ok: null,
          reason: { code: 'target_server_away' },
        })
        expect(told).toEqual([error])
      }
    },
  )

  test('nobody wants to hear of any more is given up at once', async () => {
    const port = await listener(() => {})
    const abort = new AbortController()
    const begun = performance.now()
    const api = keptIn(new TestHostKeys())
    const trying = probe(target({ port }), {
      api,
      ways: new Zones(api, { warn: () => {} }),
      zones: [],
      facts: false,
      onTrouble: () => {},
      signal: abort.signal,
    })
    abort.abort()
    expect(await trying).toMatchObject({ is_ok: false })
    expect(performance.now() - begun).toBeLessThan(5000)
  })
})

describe('facts', () => {
  test('of a machine are gathered over SSH', async () => {
    const { facts } = await tried({}, { facts: true })
    expect(facts).toMatchObject({
      arch: expect.stringMatching(/^\w+$/),
      cpu_vcpus: expect.stringMatching(/^\d+$/),
      memory: expect.stringMatching(/^\d+(\.\d+)?$/),
      distribution: expect.stringMatching(/\w/),
    })
  })

  test('of a machine that prints megabytes are what stood at the beginning, or none', async () => {
    const flooding = async (word: string) => {
      const server = await startSshd([`ForceCommand yes ${word}`])
      ends.push(() => server.stop())
      const account = {
        username: server.username,
        secret_type: 'ssh_key' as const,
        secret: server.privateKey,
        ...itself,
      }
      return await tried({ port: server.port, account }, { facts: true })
    }
    expect(await flooding('vendor=flood')).toMatchObject({ is_ok: true, facts: { vendor: 'flood' } })
    expect(await flooding('nothing')).toMatchObject(failed('target_said_nothing_usable'))
  })

  test('take nothing that was not asked for, is too long, or holds control characters', () => {
    const text = [
      'vendor=A\u001b[31mB\u202e',
      `sn=${'9'.repeat(500)}`,
      'cpu_count=many',
      'cpu_vcpus=4',
      'memory_kib=8388608',
      'disk_sectors=2097152',
      'disk_sectors=99999999999999999999',
      'password=secret',
      '__proto__=x',
      'constructor=y',
      'distribution_version=1234567890.1234567890',
      'arch=x86_64\r',
    ].join('\n')
    expect(parseFacts(text)).toEqual({
      vendor: 'A[31mB',
      cpu_vcpus: '4',
      memory: '8',
      disk_total: '1',
      arch: 'x86_64',
    })
    expect(parseFacts('x'.repeat(100_000))).toEqual({})
    expect(parseFacts('\n'.repeat(100_000))).toEqual({})
  })
})

describe('a web server', () => {
  const web = (address: string) =>
    tried({ method: 'http', account: null, asset: { ...target().asset, address }, port: 80 })

  async function serve(status: number): Promise<string> {
    const server = createHttpServer((_request, response) => {
      response.writeHead(status)
      response.end('x'.repeat(1_000_000))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    ends.push(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  }

  test('that answers is reachable, whatever it asks for', async () => {
    expect(await web(`${await serve(200)}/page?a=b`)).toMatchObject({ is_ok: true })
    expect(await web(await serve(401))).toMatchObject({ is_ok: true })
  })

  test('that says it is broken is not', async () => {
    expect(await web(await serve(503))).toMatchObject(failed('target_http_status', { status: '503' }))
  })

  test('that is none says so', async () => {
    const port = await listener((socket) => socket.end('SSH-2.0-x\r\n'))
    expect(await web(`http://127.0.0.1:${port}`)).toMatchObject(failed('target_other_protocol'))
    expect(await web('ftp://127.0.0.1/')).toMatchObject(failed('target_no_url'))
    expect(await web(`https://127.0.0.1:${port}`)).toMatchObject(failed('target_tls_failed'))
    expect(await web(`http://127.0.0.1:${await freePort()}`)).toMatchObject(failed('target_refused'))
  })
})

describe('in a network zone', () => {
  const gateway = (changes: Partial<ZoneGateway> = {}): ZoneGateway => ({
    id: randomUUID(),
    name: 'border',
    address: sshd.host,
    protocols: [{ name: 'ssh', port: sshd.port }],
    account: { id: '', name: 'op', username: sshd.username, secret: sshd.privateKey, secret_type: 'ssh_key' },
    ...changes,
  })

  test('a host is signed in to through a gateway, and never straight', async () => {
    const inner = await startSshd([`AllowUsers *@127.0.0.1`])
    const { port, username, privateKey: secret } = inner
    const inside = {
      port,
      domain: 'z',
      account: { username, secret_type: 'ssh_key' as const, secret, ...itself },
    }
    const before = sshd.log().split('Accepted publickey').length
    expect(await tried(inside, { gateways: [gateway()] })).toMatchObject({ is_ok: true })
    expect(sshd.log().split('Accepted publickey').length).toBe(before + 1)
    expect(await tried(inside)).toMatchObject(failed('zone_without_gateway', { zone: 'DMZ' }))
    const wrong = gateway({ protocols: [{ name: 'ssh', port: await freePort() }] })
    const result = await tried(inside, { gateways: [wrong] })
    expect(result).toMatchObject({
      reason: { code: 'zone_gateway_failed', cause: { code: 'target_refused' } },
    })
    expect(result.reason && reasonSentence(result.reason, 'zh')).toMatch(
      /网关 border：?:?127\.0\.0\.1:\d+ 拒绝连接/,
    )
    await inner.stop()
  })

  test('a gateway is tested by what sessions ask of it: to be signed in to, and to lead on', async () => {
    expect(await tried({ method: 'gateway', leads_to: sshd.port })).toMatchObject({ is_ok: true })
    const nobody = await freePort()
    expect(await tried({ method: 'gateway', leads_to: nobody })).toMatchObject(
      failed('gateway_leads_nowhere', { port: String(nobody) }),
    )
    const closed = await startSshd(['AllowTcpForwarding no'])
    const { port, username, privateKey: secret } = closed
    const account = { username, secret_type: 'ssh_key' as const, secret, ...itself }
    expect(await tried({ method: 'gateway', port, leads_to: port, account })).toMatchObject(
      failed('gateway_leads_nowhere'),
    )
    await closed.stop()
  })
})
