import { createHash, randomBytes } from 'node:crypto'
import { startTestNetwork, type TestNetwork, whyNoNetwork } from '@sallyport/ssh/testing/network'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { TestServer } from '@sallyport/ssh/testing/test-server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebListener } from './listeners/web/web.ts'
import { TestBrowser } from './testing/browser.ts'
import { exec, shell } from './testing/client.ts'
import { startTestBench, type TestBench } from './testing/gateway.ts'

import type { TestHost, TestZone } from './testing/people.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})

/** An asset there, which nobody may use yet. */
function hostOf({ host, port, username, privateKey }: TestSshd, name: string): TestHost {
  return bench.server.addHost(host, port, { username, secret: privateKey, secret_type: 'ssh_key' }, name)
}

/** One that ann may use, in a zone with these gateways. */
function hostBehind(target: TestSshd, gateways: TestHost[]): TestHost {
  const host = hostOf(target, 'inner')
  const zone: TestZone = { id: 'zone', name: 'DMZ', gateways }
  bench.server.allow(bench.user, Object.assign(host, { zone }))
  return host
}

const onBooks = (id: string) => bench.server.sessions.get(id)

/** Runs a command there; answers how that session ended, and what the person saw. */
async function runOn(host: TestHost, command = 'echo "<$SSH_CONNECTION>"') {
  const client = exec(command).collect()
  const session = bench.open(client, { host })
  const { reason } = await session.done
  await expect.poll(() => onBooks(session.id)?.is_finished).toBe(true)
  return { reason, text: client.text, notices: client.notices, books: onBooks(session.id) }
}

describe('on the way into a zone', () => {
  let border: TestSshd
  let inner: TestSshd
  beforeAll(async () => {
    inner = await startSshd()
    border = await startSshd(['LogLevel DEBUG1', `PermitOpen 127.0.0.1:${inner.port}`])
  })
  afterAll(async () => {
    await border.stop()
    await inner.stop()
  })

  test('a shell works as on any machine, is recorded whole, and the gateway carries its bytes and nothing else', async () => {
    const client = shell(91, 33).collect()
    const session = bench.open(client, { host: hostBehind(inner, [hostOf(border, 'border')]) })
    client.type('stty size; echo $((40+2)); env | grep -c SSH_AUTH_SOCK; exit 3\n')
    expect(await client.exited).toEqual({ kind: 'status', code: 3 })
    expect(client.text).toMatch(/33 91\r\n42\r\n0\r\n/)
    await expect.poll(() => bench.server.recordings.get(session.id)?.finished).toBeTruthy()
    expect((await bench.server.outputBytes(session.id)).equals(client.output)).toBe(true)
    expect(onBooks(session.id)).toMatchObject({ is_success: true, asset: `inner(${inner.host})` })
    expect(border.log()).toContain('ctype direct-tcpip')
    expect(border.log()).not.toMatch(/ctype session|auth-agent/)
  })

  test('5 MB there and back stay whole', async () => {
    const client = exec('cat').collect()
    const session = bench.open(client, { host: hostBehind(inner, [hostOf(border, 'border')]) })
    const data = randomBytes(5_000_000)
    client.stdin.end(data)
    expect(await session.done).toMatchObject({ reason: 'target_closed' })
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
    expect(sum(client.output)).toBe(sum(data))
  })

  test('each machine is known by its own host key, and one that changed it is named', async () => {
    const border = await startSshd()
    const inner = await startSshd()
    const [gateway, host] = [hostOf(border, 'border'), hostOf(inner, 'inner')]
    const zone = { id: 'zone', name: 'DMZ', gateways: [gateway] }
    bench.server.allow(bench.user, Object.assign(host, { zone }))
    expect((await runOn(host)).reason).toBe('target_closed')
    const shown = bench.server.hostKeys.shown.slice(-2).map(({ target, algorithm, key }) => ({
      target,
      key: `${algorithm} ${key}`,
    }))
    expect(shown).toEqual([
      { target: `${gateway.id} 127.0.0.1:${border.port}`, key: border.hostKey },
      { target: `${host.id} 127.0.0.1:${inner.port}`, key: inner.hostKey },
    ])
    await border.changeHostKey()
    const changed = await runOn(host)
    expect(changed).toMatchObject({
      reason: 'target_failed',
      books: { is_success: false, end_reason: 'target_failed' },
    })
    expect(changed.books?.end_detail).toMatch(
      /^The gateway border of the domain DMZ cannot be used: The host key of 127\.0\.0\.1:\d+ has changed/,
    )
    expect(changed.notices.join()).toContain(changed.books?.end_detail)
    // Whatever else is wrong with others, this is told; one that is as it was is used all the same.
    const gone = { ...gateway, id: 'gone', name: 'gone', port: 1 }
    host.zone = { ...zone, gateways: [gone, gateway] }
    expect((await runOn(host)).books?.end_detail).toContain('The host key of')
    const [verdict] = bench.server.hostKeys.shown.slice(-1)
    bench.server.hostKeys.accept(verdict?.fingerprint ?? '')
    host.zone = zone
    expect((await runOn(host)).reason).toBe('target_closed')
    await inner.changeHostKey()
    expect((await runOn(host)).books?.end_detail).toMatch(
      new RegExp(`^The host key of 127.0.0.1:${inner.port} has changed`),
    )
    await border.stop()
    await inner.stop()
  })

  test('when the host key of a gateway is refused, the sessions through it end and say so, and so does the next one', async () => {
    const gateway = hostOf(border, 'border')
    const host = hostBehind(inner, [gateway])
    const client = shell().collect()
    const session = bench.open(client, { host })
    client.type('echo he""re\n')
    await expect.poll(() => client.text).toContain('here')
    bench.server.refuseHostKey(gateway.id)
    const sentence = new RegExp(
      `^The gateway border of the domain DMZ cannot be used: 127.0.0.1:${border.port} shows a host key .* that no administrator has accepted`,
    )
    expect(await session.done).toMatchObject({
      reason: 'target_lost',
      detail: expect.stringMatching(sentence),
    })
    await expect
      .poll(() => onBooks(session.id))
      .toMatchObject({
        is_success: true,
        is_finished: true,
        end_detail: expect.stringMatching(sentence),
      })
    expect((await runOn(host)).books?.end_detail).toMatch(sentence)
  })

  test('a zone whose gateways are all gone is told in one sentence, and on the books as a session that failed', async () => {
    const gone = [1, 2].map((port) => ({ ...hostOf(border, `gone-${port}`), port }))
    const { reason, notices, books } = await runOn(hostBehind(inner, gone))
    const sentence = `None of the gateways of the domain DMZ leads to 127.0.0.1:${inner.port} at the moment. Tell your administrator`
    expect(reason).toBe('target_failed')
    expect(notices).toEqual([`Connecting failed: ${sentence}`])
    expect(books).toMatchObject({ is_success: false, end_reason: 'target_failed', end_detail: sentence })
  })

  test('a gateway that dies ends the sessions through it, which say so, and no others', async () => {
    const dying = await startSshd()
    const way = (through: TestSshd) => hostBehind(inner, [hostOf(through, `border-${through.port}`)])
    const open = (host: TestHost) => {
      const client = shell().collect()
      return { client, session: bench.open(client, { host }) }
    }
    const host = way(dying)
    const lost = [open(host), open(host)]
    const stays = open(way(border))
    for (const { client } of [...lost, stays]) {
      client.type('echo he""re\n')
      await expect.poll(() => client.text).toContain('here')
    }
    await dying.stop()
    const sentence = `The connection to the gateway border-${dying.port} of the domain DMZ broke`
    for (const { session, client } of lost) {
      expect(await session.done).toEqual({ reason: 'target_lost', detail: sentence })
      expect(client.notices.at(-1)).toBe(`The connection was lost: ${sentence}`)
      await expect.poll(() => onBooks(session.id)).toMatchObject({ end_detail: sentence, is_success: true })
    }
    stays.client.type('echo still-$((1+1)); exit\n')
    expect(await stays.session.done).toMatchObject({ reason: 'target_closed' })
    expect(stays.client.text).toContain('still-2')
  })

  describe('while a target asks the person', () => {
    let target: TestServer
    let gateways: TestSshd[]
    beforeEach(async () => {
      gateways = [await startSshd(), await startSshd()]
      target = await TestServer.start({ methods: () => ['keyboard-interactive'] })
      target.authenticate = async (request) => {
        if (request.method !== 'keyboard-interactive') return 'refused'
        const questions = [{ prompt: 'Your colour: ', echo: true }]
        const [answer] = await request.ask({ name: '', instruction: '', questions })
        return answer === 'blue' ? 'accepted' : 'wrong'
      }
    })
    afterEach(async () => {
      for (const sshd of gateways) await sshd.stop()
      await target.stop()
    })

    function hostThere(): TestHost {
      const account = { username: 'op', secret: 'stored', secret_type: 'password' as const }
      const host = bench.server.addHost('127.0.0.1', target.port, account, 'asking')
      const zoneGateways = gateways.map((sshd, at) => hostOf(sshd, `border-${at}`))
      const zone = { id: 'zone', name: 'DMZ', gateways: zoneGateways }
      bench.server.allow(bench.user, Object.assign(host, { zone }))
      return host
    }

    async function asked() {
      const client = shell().collect()
      const session = bench.open(client, { host: hostThere() })
      await expect.poll(() => client.text).toMatch(/Your colour: $/)
      client.type('gre')
      await expect.poll(() => client.text).toMatch(/gre$/)
      return { client, session }
    }

    test('a gateway that dies is replaced by the next one: the session lives on, and the person is told so, and asked again', async () => {
      const { client, session } = await asked()
      await gateways[0]?.stop()
      const broke = 'The connection to the gateway border-0 of the domain DMZ broke. Another gateway is used'
      await expect.poll(() => client.notices).toEqual([broke])
      await expect.poll(() => client.text.split('Your colour: ').length).toBe(3)
      client.type('blue\recho $((40+2)); exit\n')
      expect(await session.done).toMatchObject({ reason: 'target_closed' })
      expect(client.text).toContain('42')
      await expect.poll(() => onBooks(session.id)).toMatchObject({ is_success: true, is_finished: true })
    })

    test('a gateway that dies after the login, before the program is there, is replaced by the next one, too', async () => {
      target.authenticate = () => 'accepted'
      target.options = {
        onChannel: () => {
          target.options = {}
          void gateways[0]?.stop()
        },
      }
      const { text, notices, reason } = await runOn(hostThere(), 'echo $((40+2))')
      const broke = 'The connection to the gateway border-0 of the domain DMZ broke. Another gateway is used'
      expect({ text, notices, reason }).toEqual({ text: '42\n', notices: [broke], reason: 'target_closed' })
    })

    test('when all gateways die that is told in one sentence', async () => {
      const { client, session } = await asked()
      // The one in use last: the session goes to none that is just ending.
      for (const sshd of gateways.toReversed()) await sshd.stop()
      const sentence = `None of the gateways of the domain DMZ leads to 127.0.0.1:${target.port} at the moment. Tell your administrator`
      expect(await session.done).toEqual({ reason: 'target_failed', detail: sentence })
      expect(client.notices.at(-1)).toBe(`Connecting failed: ${sentence}`)
      await expect.poll(() => onBooks(session.id)).toMatchObject({ is_success: false, end_detail: sentence })
    })
  })

  test('a browser terminal goes the same way', async () => {
    const web = new WebListener(bench.gateway)
    const address = await web.start({ host: '127.0.0.1', port: 0 })
    const token = bench.server.createToken(bench.user, hostBehind(inner, [hostOf(border, 'border')]))
    const browser = new TestBrowser(address, bench.server.statement(bench.user, 'token', token.id))
    await browser.init()
    await browser.message('TERMINAL_SESSION')
    browser.type('echo $((40+2)); exit\n')
    expect(await browser.end()).toMatchObject({ reason: 'target_closed' })
    expect(browser.text).toContain('42')
    await web.stop()
  })
})

const whyNot = await whyNoNetwork()
describe.skipIf(whyNot !== undefined)(`between networks${whyNot ? ` (${whyNot})` : ''}`, () => {
  let network: TestNetwork
  let borders: [TestSshd, TestSshd]
  let inner: TestSshd
  beforeAll(async () => {
    network = await startTestNetwork()
    inner = await startSshd([], network.inner)
    borders = [await startSshd([], network.borders[0]), await startSshd([], network.borders[1])]
  })
  afterAll(async () => {
    for (const sshd of [inner, ...borders]) await sshd.stop()
    await network.stop()
  })

  test('a machine that only the gateways of its zone reach is reached through them, when one of them is unplugged, too', async () => {
    const straight = hostOf(inner, 'straight')
    bench.server.allow(bench.user, straight)
    expect(await runOn(straight)).toMatchObject({
      reason: 'target_failed',
      books: { end_detail: `There is no way to ${inner.host}:${inner.port}` },
    })
    const gateways = borders.map((sshd, at) => hostOf(sshd, `border-${at}`))
    const [first, second] = gateways
    const both = hostBehind(inner, gateways)
    const from = async (host: TestHost) => /<(\S+) /.exec((await runOn(host)).text)?.[1]
    const [throughFirst, throughSecond] = [
      await from(hostBehind(inner, first ? [first] : [])),
      await from(hostBehind(inner, second ? [second] : [])),
    ]
    expect(new Set([throughFirst, throughSecond, undefined]).size).toBe(3)
    expect(await from(both)).toBe(throughFirst)
    await network.unplug(0)
    // The connection that is there falls silent; then a new one finds nobody.
    expect(await from(both)).toBe(throughSecond)
    expect(await from(both)).toBe(throughSecond)
  }, 60_000)
})
