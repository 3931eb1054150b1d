import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import type { CommandFilter, GrantTold, TokenSecretTold } from '@sallyport/contract/gateway/grants'
import type { Statement } from '@sallyport/contract/gateway/statement'
import { signingText } from '@sallyport/contract/gateway/signature'
import { frameType, type Frame } from '@sallyport/contract/recording'
import { TestHostKeys } from './host-keys.ts'
import {
  publicUser,
  type Grant,
  type TestAccount,
  type TestHost,
  type TestUser,
  type TestZone,
} from './people.ts'
import {
  finishRecording,
  framesOf,
  putChunk,
  refuse,
  type Reply,
  type StoredRecording,
} from './recordings.ts'
import { TestReviews } from './reviews.ts'
import { checkSent, checkStatus } from './sent.ts'
import { TestSignIn } from './sign-in.ts'

export type { TestHost, TestUser, TestZone } from './people.ts'

export interface StoredSession {
  [field: string]: unknown
  id: string
  is_finished: boolean
  end_reason?: string
  end_detail?: string
}

interface Request {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  bytes: Buffer
  json: unknown
}

type Route = [method: string, pattern: RegExp, handle: (request: Request, match: string[]) => Reply]

const accountKey = { id: randomUUID(), secret: randomUUID() }

/** The calls of the server the gateway makes, in memory, with knobs for faults. */
export class TestServer {
  readonly bootstrapToken = randomBytes(12).toString('hex')
  readonly users: TestUser[] = []
  readonly hosts: TestHost[] = []
  readonly sessions = new Map<string, StoredSession>()
  readonly recordings = new Map<string, StoredRecording>()
  readonly commands: Record<string, unknown>[] = []
  readonly statuses: Record<string, unknown>[] = []
  readonly finishedTasks: string[] = []
  /** `METHOD path` of every call that arrived. */
  readonly calls: string[] = []
  readonly terminalId = randomUUID()
  readonly #statementKeys = generateKeyPairSync('ed25519')
  settings: Record<string, unknown> = {
    SECURITY_MAX_IDLE_TIME: 30,
    terminal_id: this.terminalId,
    statement_key: this.#statementKeys.publicKey.export({ type: 'spki', format: 'pem' }),
  }
  port = 0
  /** Carries out calls of that path, and cuts the connection instead of answering. */
  loses: RegExp | undefined
  /** Of calls that write: somebody else holds what they would change. */
  busy: RegExp | undefined

  #key: { id: string; secret: string } | undefined
  readonly #grants: Grant[] = []
  readonly #tokens = new Map<string, { value: string; grant: Grant; protocol: string; isUsed: boolean }>()
  readonly #connections = new Set<Socket>()
  readonly #links = new Set<WebSocket>()
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

  addHost(
    address: string,
    port: number,
    { su_from, ...account }: TestAccount & { su_from?: TestAccount },
    name = `host-${this.hosts.length + 1}`,
  ): TestHost {
    const host = {
      id: randomUUID(),
      name,
      address,
      port,
      accounts: [{ ...named(account), ...(su_from && { su_from: named(su_from) }) }],
    }
    this.hosts.push(host)
    return host
  }

  /** Lets a person connect with every account of the host. */
  allow(user: TestUser, host: TestHost, changes: { actions?: string[]; expire_at?: number } = {}): void {
    for (const account of host.accounts) {
      this.#grants.push({ user, host, account, actions: ['connect'], expire_at: 4e9, ...changes })
    }
  }

  revoke(user: TestUser): void {
    for (let at = this.#grants.length - 1; at >= 0; at--) {
      if (this.#grants[at]?.user === user) this.#grants.splice(at, 1)
    }
  }

  /** The server's word for a visitor, as it says it to the gateway. */
  statement(
    user: TestUser,
    kind: Statement['kind'],
    target: string,
    { key = this.#statementKeys.privateKey, ...changes }: Partial<Statement> & { key?: KeyObject } = {},
  ): string {
    const statement: Statement = {
      id: randomUUID(),
      gateway: this.terminalId,
      expires: Math.floor(Date.now() / 1000) + 60,
      user: publicUser(user),
      kind,
      target,
      remote_addr: '127.0.0.9',
      language: 'en',
      ...changes,
    }
    const text = Buffer.from(JSON.stringify(statement)).toString('base64url')
    return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
  }

  /** A connection token as the browser gets it. */
  createToken(user: TestUser, host: TestHost): { id: string; value: string } {
    const grant = this.#grants.find((candidate) => candidate.user === user && candidate.host === host)
    if (!grant) throw new Error('not granted')
    return this.#newToken(grant, 'ssh')
  }

  #newToken(grant: Grant, protocol: string): { id: string; value: string } {
    const id = randomUUID()
    const value = randomBytes(8).toString('hex')
    this.#tokens.set(id, { value, grant, protocol, isUsed: false })
    return { id, value }
  }

  /** Asks the gateway to end a session, as an administrator does. */
  kill(sessionId: string, by: { terminated_by: string; reason?: string; comment?: string }): string {
    return this.#order('kill_session', sessionId, { reason: '', ...by })
  }

  #order(name: string, args: string, kwargs: Record<string, string> = {}): string {
    const id = randomUUID()
    const task = { id, name, args, kwargs }
    for (const link of this.#links) link.send(Buffer.from(JSON.stringify([task])))
    return id
  }

  /** All frames of a session's recording as far as the server has them, in order. */
  async frames(sessionId: string): Promise<Frame[]> {
    return framesOf(this.recordings.get(sessionId))
  }

  /** The recorded output as text. */
  async outputText(sessionId: string): Promise<string> {
    return (await this.outputBytes(sessionId)).toString('utf8')
  }

  async outputBytes(sessionId: string): Promise<Buffer> {
    const frames = await this.frames(sessionId)
    return Buffer.concat(
      frames.filter((frame) => frame.type === frameType.output).map((frame) => frame.payload),
    )
  }

  async start(port = 0): Promise<void> {
    const server = createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.writeHead(500, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ detail: String(error) }))
      })
    })
    const sockets = new WebSocketServer({ noServer: true })
    server.on('connection', (socket) => {
      this.#connections.add(socket)
      socket.once('close', () => this.#connections.delete(socket))
    })
    server.on('upgrade', (request, socket, head) => {
      if (request.url !== '/ws/terminal-task/' || !this.#isSigned(request)) {
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
        return
      }
      sockets.handleUpgrade(request, socket, head, (link) => this.#onLink(link))
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

  #onLink(link: WebSocket): void {
    this.#links.add(link)
    link.on('close', () => this.#links.delete(link))
    link.on('message', (data: Buffer) => {
      const message = z
        .object({ type: z.string(), payload: z.record(z.string(), z.unknown()) })
        .parse(JSON.parse(data.toString()))
      checkStatus(message.payload)
      this.statuses.push(message.payload)
    })
    link.send(Buffer.from('[]'))
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
    if (request.path === 'terminal/terminal-registrations/') return this.#register(request)
    if (!this.#isSigned(message)) return refuse(401, 'authentication_failed', 'Invalid signature.')
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
  readonly reviews = new TestReviews((ticket) => this.#order('review_decided', ticket))
  /** Those that hold for every connection. */
  filters: CommandFilter[] = []
  readonly alerts: Record<string, unknown>[] = []

  readonly #routes: Route[] = [
    [
      'GET',
      /^users\/profile\/$/,
      () => ({ status: 200, body: { id: accountKey.id, name: 'g', username: 'g' } }),
    ],
    ['GET', /^terminal\/terminals\/config\/$/, () => ({ status: 200, body: this.settings })],
    ['POST', /^authentication\/tokens\/$/, (request) => this.signIn.login(request)],
    ['POST', /^authentication\/mfa\/select\/$/, (request) => ({ status: 201, body: request.json })],
    ['POST', /^authentication\/mfa\/challenge\/$/, (request) => this.signIn.challenge(request)],
    [
      'GET',
      /^perms\/users\/([^/]+)\/(?:nodes\/[^/]+\/)?assets\/$/,
      (request, [user = '']) => this.#assets(request, user),
    ],
    ['GET', /^perms\/users\/([^/]+)\/nodes\/$/, (_request, [user = '']) => this.#nodes(user)],
    [
      'GET',
      /^perms\/users\/([^/]+)\/assets\/([^/]+)\/accounts\/$/,
      (_request, [user = '', host = '']) => ({ status: 200, body: this.#accountRows(user, host) }),
    ],
    ['GET', /^perms\/users\/([^/]+)\/direct\/$/, (request, [user = '']) => this.#direct(request, user)],
    ['POST', /^terminal\/sessions\/begin\/$/, (request) => this.#begin(request)],
    ['POST', /^authentication\/super-connection-token\/secret\/$/, (request) => this.#secret(request)],
    ['POST', /^terminal\/sessions\/$/, (request) => this.#newSession(request)],
    ['PATCH', /^terminal\/sessions\/([^/]+)\/$/, (request, [id = '']) => this.#patchSession(request, id)],
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
    ['POST', /^terminal\/commands\/$/, (request) => this.#addCommands(request)],
    [
      'PUT',
      /^terminal\/sessions\/([^/]+)\/recording\/chunks\/(\d+)\/$/,
      (request, [id = '', number = '']) =>
        this.sessions.has(id)
          ? putChunk(this.recordings, request, id, Number(number))
          : refuse(404, 'not_found', 'Not found'),
    ],
    [
      'POST',
      /^terminal\/sessions\/([^/]+)\/recording\/finish\/$/,
      (request, [id = '']) => finishRecording(this.recordings, request.json, id),
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

  #isSigned(message: IncomingMessage): boolean {
    const match = /keyId="([^"]*)".*headers="([^"]*)".*signature="([^"]*)"/.exec(
      message.headers.authorization ?? '',
    )
    if (!match || !this.#key || match[1] !== this.#key.id) return false
    const { method = '', url: target = '', headers } = message
    const text = signingText((match[2] ?? '').split(' '), { method, target, headers })
    return (
      text !== undefined && createHmac('sha256', this.#key.secret).update(text).digest('base64') === match[3]
    )
  }

  #register(request: Request): Reply {
    if (request.headers.authorization !== `BootstrapToken ${this.bootstrapToken}`) {
      return refuse(401, 'authentication_failed', 'Wrong token')
    }
    this.#key = { id: randomUUID(), secret: randomUUID() }
    return {
      status: 201,
      body: { name: 'g', type: 'koko', service_account: { id: 's', access_key: this.#key } },
    }
  }

  /** As when an administrator deletes the gateway's account. */
  forgetKey(): void {
    this.#key = undefined
  }

  #assets(request: Request, userId: string): Reply {
    const hosts = [...new Set(this.#grantsOf(userId).map((grant) => grant.host))]
    const terms = request.query.getAll('search')
    const found = hosts
      .filter((host) => terms.every((term) => host.name.includes(term) || host.address.includes(term)))
      .sort((a, b) => a.name.localeCompare(b.name))
    const offset = Number(request.query.get('offset') ?? 0)
    const limit = Number(request.query.get('limit') ?? 100)
    const results = found.slice(offset, offset + limit).map((host) => shownHost(host))
    return { status: 200, body: { count: found.length, next: null, previous: null, results } }
  }

  #nodes(userId: string): Reply {
    const amount = new Set(this.#grantsOf(userId).map((grant) => grant.host)).size
    return { status: 200, body: [{ id: randomUUID(), key: '1', value: 'DEFAULT', assets_amount: amount }] }
  }

  #grantsOf(userId: string): Grant[] {
    return this.#grants.filter((grant) => grant.user.id === userId)
  }

  #accountRows(userId: string, hostId: string) {
    const grants = this.#grantsOf(userId).filter((grant) => grant.host.id === hostId)
    return grants.map(({ account, actions }) => ({
      alias: account.name,
      name: account.name,
      username: account.username,
      has_username: true,
      has_secret: true,
      secret_type: account.secret_type,
      actions: actions.map((value) => ({ value, label: value })),
    }))
  }

  #direct(request: Request, userId: string): Reply {
    const named = request.query.get('address')
    const hosts = [...new Set(this.#grantsOf(userId).map((grant) => grant.host))]
    const byAddress = hosts.filter(({ address }) => address === named)
    const found = byAddress.length > 0 ? byAddress : hosts.filter(({ name }) => name === named)
    const [only] = found
    const accounts = only && found.length === 1 ? this.#accountRows(userId, only.id) : []
    return { status: 200, body: { assets: found.map((host) => shownHost(host)), accounts } }
  }

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
    const grant = this.#grantsOf(user).find((one) => one.host.id === asset && one.account.name === account)
    if (!grant) return refuse(400, 'perm_account_invalid', 'You have no permission for this account')
    const refusal = this.reviews.refusal(session.ticket)
    if (refusal) return refusal
    const told = { ...grantTold(grant, protocol), command_filter_acls: this.filters }
    this.sessions.set(session.id, { ...session, user_id: user, asset_id: asset, is_finished: false })
    const address = `${grant.host.address}:${grant.host.port}`
    const { body: known } = this.hostKeys.accepted(new URLSearchParams({ asset, address }))
    return { status: 201, body: { grant: told, host_keys: { address, ...(known as object) } } }
  }

  #secret(request: Request): Reply {
    const { id } = z.object({ id: z.string() }).parse(request.json)
    const token = this.#tokens.get(id)
    if (!token || token.isUsed) return { status: 400, body: { id: 'Token is expired' } }
    token.isUsed = true
    const refusal = this.reviews.refusal(undefined)
    if (refusal) return refusal
    const body: TokenSecretTold = {
      ...grantTold(token.grant, token.protocol),
      command_filter_acls: this.filters,
      id,
      value: token.value,
    }
    return { status: 200, body }
  }

  #newSession(request: Request): Reply {
    const session = z.looseObject({ id: z.string() }).parse(request.json)
    this.sessions.set(session.id, { ...session, is_finished: false })
    return { status: 201, body: session }
  }

  #patchSession(request: Request, id: string): Reply {
    const session = this.sessions.get(id)
    if (!session) return refuse(404, 'not_found', 'Not found')
    Object.assign(session, request.json)
    return { status: 200, body: session }
  }

  #addCommands(request: Request): Reply {
    for (const record of z.array(z.record(z.string(), z.unknown())).parse(request.json)) {
      if (!this.commands.some((known) => known.id === record.id)) this.commands.push(record)
    }
    return { status: 201, body: 'ok' }
  }
}

const named = (account: TestAccount) => ({ id: randomUUID(), name: account.username, ...account })

function grantTold(grant: Grant, protocol: string): GrantTold {
  const { user, host, actions, expire_at } = grant
  const { su_from = null, ...account } = grant.account
  const platform = host.platform ?? { name: 'Linux', category: 'host', type: 'linux' }
  const labeled = (value: string) => ({ value, label: value })
  const org_id = '00000000-0000-0000-0000-000000000002'
  return {
    user: { ...publicUser(user), email: `${user.username}@example.com` },
    asset: {
      id: host.id,
      name: host.name,
      address: host.address,
      protocols: [{ name: 'ssh', port: host.port }],
      category: labeled(platform.category),
      type: labeled(platform.type),
      org_id,
      spec_info: {},
      secret_info: {},
    },
    account: {
      ...account,
      secret_type: labeled(account.secret_type),
      su_from: su_from && { ...su_from, secret_type: labeled(su_from.secret_type) },
      privileged: false,
    },
    platform: {
      id: 1,
      name: platform.name,
      charset: 'utf-8',
      su_method: host.su_method ?? null,
      protocols: [{ name: 'ssh', setting: { old_ssh_version: platform.old_ssh_version } }],
    },
    command_filter_acls: [],
    // What the gateway cannot use is its matter to refuse.
    protocol: protocol as GrantTold['protocol'],
    ...zoneTold(host.zone),
    actions: actions.map((value) => labeled(value)),
    expire_at,
    from_ticket: null,
    connect_method: { ...labeled('web_cli'), type: 'web', component: 'koko' },
    org_id,
    org_name: 'DEFAULT',
  }
}

function zoneTold(zone: TestZone | undefined): Pick<GrantTold, 'domain' | 'gateway' | 'gateways'> {
  if (!zone) return { domain: null, gateway: null, gateways: [] }
  const gateways = zone.gateways.map(({ id, name, address, port, accounts: [account] }) => ({
    id,
    name,
    address,
    protocols: [{ name: 'ssh', port }],
    account: account
      ? { ...account, secret_type: { value: account.secret_type, label: account.secret_type } }
      : null,
  }))
  return {
    domain: { id: zone.id, name: zone.name },
    gateway: gateways.find(({ account }) => account !== null) ?? null,
    gateways,
  }
}

const shownHost = (host: TestHost) => ({
  id: host.id,
  name: host.name,
  address: host.address,
  is_active: true,
  comment: '',
  org_name: 'DEFAULT',
  platform: { id: 1, name: 'Linux' },
  protocols: [{ name: 'ssh', port: host.port }],
})
