import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { z } from 'zod'
import type { CommandFilter, TokenSecretTold } from '@sallyport/contract/gateway/grants'
import { TestBooks } from './books.ts'
import { TestComponent } from './component.ts'
import { TestGrants } from './grants.ts'
import { TestHostKeys } from './host-keys.ts'
import { TestLinks } from './links.ts'
import type { TestHost, TestUser } from './people.ts'
import { refuse, type Reply } from './recordings.ts'
import { TestReviews } from './reviews.ts'
import { checkSent } from './sent.ts'
import { TestSignIn } from './sign-in.ts'
import { TestStatements } from './statements.ts'
import { grantTold } from './told.ts'

export type { TestHost, TestUser, TestZone } from './people.ts'

interface Request {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  bytes: Buffer
  json: unknown
}

/** What the recording of that number is called in the books; the first one as its session. */
const nameOf = (sessionId: string, recording = '1') =>
  recording === '1' ? sessionId : `${sessionId}/${recording}`

type Route = [method: string, pattern: RegExp, handle: (request: Request, match: string[]) => Reply]

/** The calls of the server the gateway makes, in memory, with knobs for faults. */
export class TestServer {
  readonly users: TestUser[] = []
  readonly finishedTasks: string[] = []
  /** `METHOD path` of every call that arrived. */
  readonly calls: string[] = []
  readonly #statements = new TestStatements()
  settings: Record<string, unknown> = {
    SECURITY_MAX_IDLE_TIME: 30,
    terminal_id: this.#statements.gateway,
    statement_key: this.#statements.publicKey,
  }
  port = 0
  /** Carries out calls of that path, and cuts the connection instead of answering. */
  loses: RegExp | undefined
  /** Of calls that write: somebody else holds what they would change. */
  busy: RegExp | undefined

  readonly #books = new TestBooks()
  readonly #component = new TestComponent()
  readonly #grants = new TestGrants()
  readonly #connections = new Set<Socket>()
  readonly #links = new TestLinks()
  #server: Server | undefined

  get url(): string {
    return `http://127.0.0.1:${this.port}`
  }

  addUser(username: string, changes: Partial<TestUser> = {}): TestUser {
    const user = {
      id: randomUUID(),
      name: username.toUpperCase(),
      username,
      password: `pw-${username}`,
      ...changes,
    }
    this.users.push(user)
    return user
  }

  readonly addHost: TestGrants['addHost'] = (...host) => this.#grants.addHost(...host)
  readonly allow: TestGrants['allow'] = (...what) => this.#grants.allow(...what)
  readonly revoke: TestGrants['revoke'] = (user) => this.#grants.revoke(user)
  readonly createToken: TestGrants['createToken'] = (user, host) => this.#grants.createToken(user, host)
  readonly statement: TestStatements['of'] = (...visitor) => this.#statements.of(...visitor)

  readonly frames: TestBooks['frames'] = (session) => this.#books.frames(session)
  readonly outputText: TestBooks['outputText'] = (session) => this.#books.outputText(session)
  readonly outputBytes: TestBooks['outputBytes'] = (session) => this.#books.outputBytes(session)

  get hosts(): TestHost[] {
    return this.#grants.hosts
  }

  get sessions(): TestBooks['sessions'] {
    return this.#books.sessions
  }

  get recordings(): TestBooks['recordings'] {
    return this.#books.recordings
  }

  get commands(): TestBooks['commands'] {
    return this.#books.commands
  }

  get terminalId(): string {
    return this.#statements.gateway
  }

  get bootstrapToken(): string {
    return this.#component.bootstrapToken
  }

  /** What the gateway has reported of itself. */
  get statuses(): Record<string, unknown>[] {
    return this.#links.statuses
  }

  /** As when an administrator deletes the gateway's account. */
  forgetKey(): void {
    this.#component.forgetKey()
  }

  /** Asks the gateway to end a session, as an administrator does. */
  kill(sessionId: string, by: { terminated_by: string; reason?: string; comment?: string }): string {
    return this.#links.order('kill_session', sessionId, { reason: '', ...by })
  }

  /** Refuses the accepted host key of an asset, as an administrator does. */
  refuseHostKey(asset: string): string {
    const fingerprint = this.hostKeys.refuse(asset)
    return this.#links.order('host_key_refused', fingerprint, { asset })
  }

  async start(port = 0): Promise<void> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.writeHead(500, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ detail: String(error) }))
      })
    })
    server.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
    server.on('upgrade', (request, socket, head) => {
      if (request.url !== '/ws/terminal-task/' || !this.#component.hasSigned(request)) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
        return
      }
      this.#links.take(request, socket, head)
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (!address || typeof address === 'string') throw new Error('no address')
    this.port = address.port
    this.#server = server
  }

  /** As when the server is killed: every connection is cut and the port is closed. What it stored stays. */
  async goAway(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    server.close()
    for (const socket of this.#connections) socket.destroy()
    await once(server, 'close')
  }

  async comeBack(): Promise<void> {
    await this.start(this.port)
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of message) parts.push(part)
    const bytes = Buffer.concat(parts)
    const url = new URL(message.url ?? '/', this.url)
    const path = url.pathname.replace(/^\/api\/v1\//, '')
    const method = message.method ?? 'GET'
    this.calls.push(`${method} ${path}`)
    const isJson = message.headers['content-type'] === 'application/json'
    const request: Request = {
      method,
      path,
      query: url.searchParams,
      headers: message.headers,
      bytes,
      json: isJson ? JSON.parse(bytes.toString('utf8')) : undefined,
    }
    checkSent(request)
    const reply = this.#route(request, message)
    if (this.loses?.test(path)) return void message.socket.destroy()
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body === undefined ? '' : JSON.stringify(reply.body))
  }

  #route(request: Request, message: IncomingMessage): Reply {
    if (request.path === 'terminal/terminal-registrations/') return this.#component.register(request.headers)
    if (!this.#component.hasSigned(message)) return refuse(401, 'authentication_failed', 'Invalid signature.')
    if (message.method !== 'GET' && this.busy?.test(message.url ?? ''))
      return refuse(409, 'busy', 'Being updated, please retry later')
    for (const [method, pattern, handle] of this.#routes) {
      const match = pattern.exec(request.path)
      if (match && method === request.method) return handle(request, match.slice(1))
    }
    return refuse(404, 'not_found', `no such call: ${request.method} ${request.path}`)
  }

  readonly hostKeys = new TestHostKeys()
  readonly signIn = new TestSignIn(this.users)
  readonly reviews = new TestReviews((ticket) => this.#links.order('review_decided', ticket))
  /** Those that hold for every connection. */
  filters: CommandFilter[] = []
  readonly alerts: Record<string, unknown>[] = []

  readonly #routes: Route[] = [
    ['GET', /^users\/profile\/$/, () => this.#component.profile],
    ['GET', /^terminal\/terminals\/config\/$/, () => ({ status: 200, body: this.settings })],
    ['POST', /^authentication\/tokens\/$/, (request) => this.signIn.login(request)],
    ['POST', /^authentication\/mfa\/select\/$/, (request) => ({ status: 201, body: request.json })],
    ['POST', /^authentication\/mfa\/challenge\/$/, (request) => this.signIn.challenge(request)],
    [
      'GET',
      /^perms\/users\/([^/]+)\/(?:nodes\/[^/]+\/)?assets\/$/,
      (request, [user = '']) => this.#grants.assets(request.query, user),
    ],
    ['GET', /^perms\/users\/([^/]+)\/nodes\/$/, (_request, [user = '']) => this.#grants.nodes(user)],
    [
      'GET',
      /^perms\/users\/([^/]+)\/assets\/([^/]+)\/accounts\/$/,
      (_request, [user = '', host = '']) => ({ status: 200, body: this.#grants.accountRows(user, host) }),
    ],
    [
      'GET',
      /^perms\/users\/([^/]+)\/direct\/$/,
      (request, [user = '']) => this.#grants.direct(request.query, user),
    ],
    ['POST', /^terminal\/sessions\/begin\/$/, (request) => this.#begin(request)],
    ['GET', /^authentication\/super-connection-token\/owner\/$/, (request) => this.#owner(request)],
    ['POST', /^authentication\/super-connection-token\/secret\/$/, (request) => this.#secret(request)],
    ['POST', /^terminal\/sessions\/$/, (request) => this.#books.begin(request.json)],
    [
      'PATCH',
      /^terminal\/sessions\/([^/]+)\/$/,
      (request, [id = '']) => this.#books.change(id, request.json),
    ],
    ['POST', /^acls\/login-asset\/check\/$/, (request) => this.reviews.askForLogin(request.json)],
    ['POST', /^acls\/command-filter-acls\/command-review\/$/, (request) => this.reviews.ask(request.json)],
    ['GET', /^tickets\/super-tickets\/([^/]+)\/status\/$/, (_request, [id = '']) => this.reviews.status(id)],
    [
      'DELETE',
      /^tickets\/super-tickets\/([^/]+)\/status\/$/,
      (_request, [id = '']) => this.reviews.close(id),
    ],
    [
      'POST',
      /^terminal\/commands\/insecure-command\/$/,
      (request) => {
        this.alerts.push(...z.array(z.record(z.string(), z.unknown())).parse(request.json))
        return { status: 200, body: 'ok' }
      },
    ],
    ['POST', /^terminal\/commands\/$/, (request) => this.#books.addCommands(request.json)],
    [
      'PUT',
      /^terminal\/sessions\/([^/]+)\/recording(?:s\/(\d+))?\/chunks\/(\d+)\/$/,
      (request, [id = '', recording, number = '']) =>
        this.#books.putChunk(request, nameOf(id, recording), Number(number)),
    ],
    [
      'POST',
      /^terminal\/sessions\/([^/]+)\/recording(?:s\/(\d+))?\/finish\/$/,
      (request, [id = '', recording]) => this.#books.finishRecording(nameOf(id, recording), request.json),
    ],
    ['GET', /^terminal\/host-keys\/accepted\/$/, (request) => this.hostKeys.accepted(request.query)],
    ['POST', /^terminal\/host-keys\/seen\/$/, (request) => this.hostKeys.seen(request.json)],
    ['POST', /^terminal\/host-keys\/own\/$/, (request) => this.hostKeys.own(request.json)],
    [
      'PATCH',
      /^terminal\/tasks\/([^/]+)\/$/,
      (_request, [id = '']) => {
        this.finishedTasks.push(id)
        return { status: 200, body: {} }
      },
    ],
  ]

  #begin(request: Request): Reply {
    const { user, asset, account, protocol, ...session } = z
      .looseObject({
        id: z.string(),
        user: z.string(),
        asset: z.string(),
        account: z.string(),
        protocol: z.string(),
      })
      .parse(request.json)
    const grant = this.#grants.of(user).find((one) => one.host.id === asset && one.account.name === account)
    if (!grant) return refuse(400, 'perm_account_invalid', 'You have no permission for this account')
    const refusal = this.reviews.refusal(session.ticket)
    if (refusal) return refusal
    const told = { ...grantTold(grant, protocol), command_filter_acls: this.filters }
    this.sessions.set(session.id, { ...session, user_id: user, asset_id: asset, is_finished: false })
    const address = `${grant.host.address}:${grant.host.port}`
    const { body: known } = this.hostKeys.accepted(new URLSearchParams({ asset, address }))
    return { status: 201, body: { grant: told, host_keys: { address, ...(known as object) } } }
  }

  #owner(request: Request): Reply {
    const token = this.#grants.tokens.get(request.query.get('id') ?? '')
    if (!token || token.isUsed) return { status: 404, body: { id: 'Token is expired' } }
    return { status: 200, body: { username: token.grant.user.username } }
  }

  #secret(request: Request): Reply {
    const { id } = z.object({ id: z.string() }).parse(request.json)
    const token = this.#grants.tokens.get(id)
    if (!token || token.isUsed) return { status: 400, body: { id: 'Token is expired' } }
    token.isUsed = true
    const refusal = this.reviews.refusal(undefined)
    if (refusal) return refusal
    const body: TokenSecretTold = {
      ...grantTold(token.grant, 'ssh'),
      command_filter_acls: this.filters,
      id,
      value: token.value,
    }
    return { status: 200, body }
  }
}
