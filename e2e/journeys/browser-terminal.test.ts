/** A browser terminal through the server's proxy, spoken to as the page does: cookies, form token, the terminal's own socket. */
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { startSshd, type TestSshd } from '../../apps/gateway/src/testing/sshd.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'
import { eventually } from '../src/processes.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

let system: System
let sshd: TestSshd
let person: Person
let host: { id: string; name: string }

beforeAll(async () => {
  sshd = await startSshd()
  system = await startSystem()
  host = await addHost(system.admin, { port: sshd.port })
  await addAccount(system.admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
  person = await addPerson(system.admin)
  await grant(system.admin, { users: [person.id], assets: [host.id] })
})
afterAll(async () => {
  await system?.stop()
  await sshd?.stop()
})

/** A browser that is signed in. */
class Browser {
  readonly cookies = new Map<string, string>()

  async send(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; json: unknown; bytes: Buffer }> {
    const csrf = this.cookies.get('jms_csrftoken')
    const response = await fetch(`${system.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'accept-language': 'en',
        cookie: this.header,
        ...(csrf === undefined ? {} : { 'x-csrftoken': csrf }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.cookies.set(name, value)
    }
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return {
      status: response.status,
      json: isJson ? (JSON.parse(bytes.toString()) as unknown) : undefined,
      bytes,
    }
  }

  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  static async signIn(username: string, password: string): Promise<Browser> {
    const browser = new Browser()
    await browser.send('GET', '/core/auth/login/')
    const answer = await browser.send('POST', '/core/auth/login/', { username, password })
    expect(answer).toMatchObject({ status: 200 })
    return browser
  }

  open(query: string): Tab {
    return new Tab(
      new WebSocket(`${system.origin.replace('http', 'ws')}/koko/ws/terminal/?${query}`, ['JMS-KOKO'], {
        headers: { cookie: this.header, origin: system.origin },
      }),
    )
  }
}

interface Message {
  id: string
  type: string
  data: string
}

/** The terminal of one page. */
class Tab {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  screen = ''

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('error', () => {})
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.screen += data.toString()
      else this.#take(JSON.parse(data.toString()) as Message)
    })
  }

  #take(message: Message): void {
    this.messages.push(message)
    if (message.type !== 'CONNECT') return
    this.send('TERMINAL_INIT', JSON.stringify({ cols: 100, rows: 30 }), message.id)
  }

  send(type: string, data: string, id = this.messages[0]?.id ?? ''): void {
    this.socket.send(JSON.stringify({ id, type, data }))
  }

  type(text: string): void {
    this.send('TERMINAL_DATA', text)
  }

  async find(type: string): Promise<Message> {
    return await eventually(type, () => this.messages.find((message) => message.type === type))
  }

  async shows(text: string): Promise<void> {
    await eventually(text, () => this.screen.includes(text))
  }
}

it('opens, is watched by who may, outlives the server, comes back, and can be replayed', async () => {
  const browser = await Browser.signIn(person.username, person.password)
  const made = await browser.send('POST', '/api/v1/authentication/connection-token/', {
    asset: host.id,
    account: sshd.username,
    protocol: 'ssh',
    connect_method: 'web_cli',
  })
  expect(made).toMatchObject({ status: 201 })
  const tab = browser.open(`token=${(made.json as { id: string }).id}`)
  const told = JSON.parse((await tab.find('TERMINAL_SESSION')).data) as { session: { id: string } }
  const id = told.session.id
  tab.type('echo first-$((40+2))\r')
  await tab.shows('first-42')

  const admin = await Browser.signIn('admin', adminPassword)
  const watching = admin.open(`type=monitor&target_id=${id}`)
  await watching.shows('first-42')
  tab.type('echo second-$((40+2))\r')
  await watching.shows('second-42')
  // Whom one works with may not be watched back.
  const nosy = browser.open(`type=monitor&target_id=${id}`)
  await nosy.find('TERMINAL_END')

  const lost = once(tab.socket, 'close')
  await system.server.kill('SIGKILL')
  await lost
  await system.startServer()
  const again = await eventually(
    'the gateway reports to the server',
    async () => {
      const next = browser.open(`type=reattach&target_id=${id}`)
      await eventually('an answer', () => next.messages.some(({ type }) => type !== 'CONNECT'))
      return next.messages.some(({ type }) => type === 'TERMINAL_END') ? undefined : next
    },
    15_000,
  )
  await again.shows('second-42')
  again.type('exit\r')
  expect(JSON.parse((await again.find('TERMINAL_END')).data)).toMatchObject({ reason: 'target_closed' })

  await eventually('the recording is complete', async () => {
    const index = await admin.send('GET', `/api/v1/terminal/sessions/${id}/recording/`)
    return index.status === 200 && (index.json as { is_complete: boolean }).is_complete
  })
  const cast = await admin.send('GET', `/api/v1/terminal/sessions/${id}/replay/cast/`)
  expect(cast.bytes.toString()).toContain('second-42')
  expect(await browser.send('GET', `/api/v1/terminal/sessions/${id}/recording/`)).toMatchObject({
    status: 403,
  })
  const session = await admin.send('GET', `/api/v1/terminal/sessions/${id}/`)
  expect(session.json).toMatchObject({
    is_finished: true,
    has_replay: true,
    end_reason: { value: 'target_closed' },
  })
})
