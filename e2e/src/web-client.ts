/** What the console's page does, without a browser: cookies, form token, and the terminal's own socket. */
import { WebSocket } from 'ws'
import { eventually } from './processes.ts'

/** A browser that is signed in. */
export class WebClient {
  readonly origin: string
  readonly cookies = new Map<string, string>()

  constructor(origin: string) {
    this.origin = origin
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; json: unknown; bytes: Buffer }> {
    const csrf = this.cookies.get('jms_csrftoken')
    const response = await fetch(`${this.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        'accept-language': 'en',
        cookie: this.header,
        ...(csrf === undefined ? {} : { 'x-csrftoken': csrf }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
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

  static async signIn(origin: string, username: string, password: string): Promise<WebClient> {
    const browser = new WebClient(origin)
    await browser.send('GET', '/core/auth/login/')
    const answer = await browser.send('POST', '/core/auth/login/', { username, password })
    if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}`)
    return browser
  }

  open(query: string, size = { cols: 100, rows: 30 }, pageOrigin = this.origin): Tab {
    return new Tab(
      new WebSocket(`${this.origin.replace('http', 'ws')}/koko/ws/terminal/?${query}`, ['JMS-KOKO'], {
        headers: { cookie: this.header, origin: pageOrigin, 'accept-language': 'en' },
      }),
      size,
    )
  }
}

interface Message {
  id: string
  type: string
  data: string
}

/** The terminal of one page. */
export class Tab {
  readonly socket: WebSocket
  readonly messages: Message[] = []
  readonly #size: { cols: number; rows: number }
  screen = ''
  /** Ends with the status when the server refuses the socket. */
  readonly refused: Promise<number>

  constructor(socket: WebSocket, size: { cols: number; rows: number }) {
    this.socket = socket
    this.#size = size
    socket.on('error', () => {})
    this.refused = new Promise((resolve) => {
      socket.once('unexpected-response', (_request, response) => {
        resolve(response.statusCode ?? 0)
        socket.terminate()
      })
    })
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.screen += data.toString()
      else this.#take(JSON.parse(data.toString()) as Message)
    })
  }

  #take(message: Message): void {
    this.messages.push(message)
    if (message.type !== 'CONNECT') return
    this.send('TERMINAL_INIT', JSON.stringify(this.#size), message.id)
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
