/**
 * Browser terminals: the server looks at who comes and from which page, and joins the socket to the gateway's, which takes the server's
 * signed word for the visitor (docs/decisions/0002). Cookies stay here.
 */
import { errors, isUuid, translate, type ErrorKey } from '@sallyport/contract'
import { type Statement, statementHeader } from '@sallyport/contract/gateway/statement'
import {
  terminalSocketPath,
  terminalSubprotocol,
  type TerminalEnd,
  type TerminalMessageType,
} from '@sallyport/contract/terminal-socket'
import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { type RawData, WebSocket } from 'ws'
import { callerOf, type Context } from '../../kernel/context.ts'
import type { SocketRoute } from '../../kernel/http/sockets.ts'
import { inTheBooks, isAlive } from './components.ts'
import type { TerminalServices } from './services.ts'
import { mayWatch } from './sessions.ts'
import type { Statements } from './statements.ts'
import { sessions, terminals } from './tables.ts'

const handshakeMs = 10_000
/** What one side has not taken yet; beyond, the other side is not read. */
const bufferedMaxBytes = 1 << 20
const bufferedLowBytes = 256 * 1024
const drainEveryMs = 20
/** What a browser may send before the gateway is reached: its first messages. */
const earlyMaxBytes = 64 * 1024
/** A side that says nothing to a ping for so long is gone. */
const pingEveryMs = 20_000

/** Closes without a word of an end (RFC 6455, 7.4): the page goes on trying, as after a lost connection. */
const tryAgainLater = 1013

/** Whoever loses the right to watch stops watching within this time. */
const watcherEveryMs = 2000

/** Where a visitor goes: which gateway, and what for. */
interface Way {
  gateway: string
  http: string
  kind: Statement['kind']
  target: string
}

/** Of living gateways, where the first does not answer; more would only make whoever waits for them wait longer. */
const gatewaysTried = 3

/** The session goes on, as far as is known, and cannot be reached now. */
const later = Symbol('later')

/** To the gateway that carries the session, or for a new one to living ones, first to the one with the least to do; else why not. */
async function waysOf(
  services: TerminalServices,
  ctx: Context,
  query: URLSearchParams,
): Promise<Way[] | ErrorKey | typeof later> {
  const type = query.get('type')
  if (type !== 'monitor' && type !== 'reattach') return await freeGateways(ctx, query.get('token') ?? '')
  const id = query.get('target_id') ?? ''
  if (!isUuid(id)) return 'session_not_joinable'
  if (type === 'monitor') {
    const may = await mayWatch(services, callerOf(ctx).id, id)
    if (!may.ok) return may.code
  }
  const [found] = await ctx.db
    .select({ gateway: terminals.id, http: terminals.http, isAlive, session: sessions })
    .from(sessions)
    .innerJoin(terminals, eq(terminals.id, sessions.terminal_id))
    .where(eq(sessions.id, id))
    .limit(1)
  if (!found || (type === 'reattach' && found.session.user_id !== callerOf(ctx).id))
    return 'session_not_joinable'
  // After an outage of the server gateways are silent for seconds. One that stays silent is lost, and its sessions end (`sweep.ts`).
  if (!found.isAlive || !found.http) return found.session.is_finished ? 'session_not_joinable' : later
  if (type === 'monitor')
    await ctx.emit({
      type: 'happened',
      name: 'operated',
      data: { action: 'monitor', ...inTheBooks(found.session) },
    })
  return [{ gateway: found.gateway, http: found.http, kind: type, target: id }]
}

async function freeGateways(ctx: Context, token: string): Promise<Way[] | ErrorKey> {
  if (!isUuid(token)) return 'connection_token_expired'
  const found = await ctx.db
    .select({ gateway: terminals.id, http: terminals.http })
    .from(terminals)
    .where(and(isNotNull(terminals.http), eq(terminals.type, 'koko'), isAlive))
    .orderBy(asc(terminals.session_online), sql`random()`)
    .limit(gatewaysTried)
  const ways = found.flatMap(({ gateway, http }) =>
    http === null ? [] : [{ gateway, http, kind: 'token' as const, target: token }],
  )
  return ways.length === 0 ? 'no_gateway_online' : ways
}

/** The gateway's side of a browser's socket. */
const gatewaySides = new WeakMap<WebSocket, WebSocket>()

/** Says in the terminal's own words why there is no connection, or none any more: the gateway's side ends at once, whatever the browser does. */
function refuse(browser: WebSocket, ctx: Context, code: ErrorKey): void {
  const message = translate(errors, ctx.language, code)
  const end: TerminalEnd = { reason: 'refused', detail: code, message, can_reattach: false }
  const send = (type: TerminalMessageType, data: string) =>
    browser.send(JSON.stringify({ id: '', type, data }))
  send('TERMINAL_END', JSON.stringify(end))
  send('TERMINAL_ERROR', message)
  send('CLOSE', '')
  browser.close(1000)
  const gateway = gatewaySides.get(browser)
  if (gateway) closeAs(gateway, 1000, Buffer.alloc(0))
}

/** Passes on what comes from one side; reads no faster than the other side takes it. */
function pass(from: WebSocket, to: WebSocket): void {
  from.on('message', (data: RawData, isBinary: boolean) => {
    // What comes while a side closes is from one who was sent away.
    if (from.readyState !== from.OPEN || to.readyState !== to.OPEN) return
    to.send(data, { binary: isBinary })
    if (to.bufferedAmount <= bufferedMaxBytes || from.isPaused) return
    from.pause()
    const timer = setInterval(() => {
      if (to.bufferedAmount > bufferedLowBytes && to.readyState === to.OPEN) return
      clearInterval(timer)
      from.resume()
    }, drainEveryMs)
  })
  from.once('close', (code, reason) => closeAs(to, code, reason))
}

/** A goodbye is passed on; anything else looks on the other side like the lost connection it is. */
function closeAs(socket: WebSocket, code: number, reason: Buffer): void {
  if (socket.readyState === socket.CONNECTING || code === 1005 || code === 1006) socket.terminate()
  else if ((code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || code >= 3000)
    socket.close(code, reason)
  else socket.close(1000)
}

/** Ends both when one of them does not answer a ping. */
function watch(sockets: readonly WebSocket[]): void {
  const answered = new Set(sockets)
  for (const socket of sockets) {
    socket.on('pong', () => answered.add(socket))
    socket.on('message', () => answered.add(socket))
  }
  const timer = setInterval(() => {
    for (const socket of sockets) {
      // One that is not read because the other side is slow cannot answer either.
      if (!answered.delete(socket) && !socket.isPaused) socket.terminate()
      else if (socket.readyState === socket.OPEN) socket.ping()
    }
  }, pingEveryMs)
  for (const socket of sockets) socket.once('close', () => clearInterval(timer))
}

export class TerminalProxy {
  readonly #services: TerminalServices
  readonly #statements: Statements
  /** Open ones, both sides. */
  readonly #pairs = new Set<{ browser: WebSocket; gateway: WebSocket }>()

  constructor(services: TerminalServices, statements: Statements) {
    this.#services = services
    this.#statements = statements
  }

  readonly route: SocketRoute = {
    path: terminalSocketPath,
    access: 'valid_user',
    signInEnded: (ctx, browser) => refuse(browser, ctx, 'sign_in_ended'),
    forPages: true,
    open: (ctx, socket, request) => {
      this.#open(ctx, socket, request).catch((error: unknown) => {
        this.#services.log.error({ err: error }, 'a browser terminal could not be passed on')
        socket.close(1011)
      })
    },
  }

  /** As when the server is lost: browsers attach again, wherever a server is. */
  stop(): void {
    for (const { browser, gateway } of this.#pairs) {
      gateway.terminate()
      browser.close(1012)
    }
  }

  async #open(ctx: Context, browser: WebSocket, request: FastifyRequest): Promise<void> {
    const early: { data: RawData; isBinary: boolean }[] = []
    let earlyBytes = 0
    const hold = (data: RawData, isBinary: boolean) => {
      earlyBytes += Array.isArray(data) ? 0 : data.byteLength
      if (earlyBytes > earlyMaxBytes) browser.close(1009)
      else early.push({ data, isBinary })
    }
    browser.on('message', hold)
    const address = new URL(request.raw.url ?? '/', 'http://server')
    const ways = await waysOf(this.#services, ctx, address.searchParams)
    if (browser.readyState !== browser.OPEN) return
    if (ways === later) return browser.close(tryAgainLater)
    if (typeof ways === 'string') return refuse(browser, ctx, ways)
    const join = (gateway: WebSocket) => {
      browser.off('message', hold)
      pass(browser, gateway)
      pass(gateway, browser)
      watch([browser, gateway])
      for (const { data, isBinary } of early) gateway.send(data, { binary: isBinary })
      if (browser.readyState !== browser.OPEN) gateway.terminate()
    }
    for (const way of ways) {
      if (way.kind === 'monitor') this.#followRight(ctx, browser, way.target)
      if (await this.#reach(ctx, browser, way, join)) return
      if (browser.readyState !== browser.OPEN) return
    }
    if (ways.some(({ kind }) => kind !== 'token')) browser.close(tryAgainLater)
    else refuse(browser, ctx, 'no_gateway_online')
  }

  /** Whether the gateway took the visitor in: it is joined at once then, for it speaks at once. */
  async #reach(
    ctx: Context,
    browser: WebSocket,
    way: Way,
    join: (gateway: WebSocket) => void,
  ): Promise<boolean> {
    const { id, name, username } = callerOf(ctx)
    const statement = await this.#statements.say({
      gateway: way.gateway,
      user: { id, name, username },
      kind: way.kind,
      target: way.target,
      remote_addr: ctx.remoteAddr,
      language: ctx.language,
    })
    const url = new URL(terminalSocketPath, way.http)
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
    // Whatever the browser called it: there is one.
    const gateway = new WebSocket(url, terminalSubprotocol, {
      headers: { [statementHeader]: statement },
      handshakeTimeout: handshakeMs,
      perMessageDeflate: false,
      maxPayload: 4 << 20,
      // One message a turn of the event loop, however small they are: a component may lie.
      allowSynchronousEvents: false,
      followRedirects: false,
    })
    gatewaySides.set(browser, gateway)
    const pair = { browser, gateway }
    this.#pairs.add(pair)
    const giveUp = () => gateway.terminate()
    browser.once('close', giveUp)
    gateway.on('error', (error) => {
      if (browser.readyState !== browser.OPEN) return
      this.#services.log.warn({ err: error, terminal: way.http }, 'the connection to a gateway failed')
    })
    return await new Promise<boolean>((resolve) => {
      gateway.once('open', () => {
        browser.off('close', giveUp)
        join(gateway)
        resolve(true)
      })
      gateway.once('close', () => {
        browser.off('close', giveUp)
        this.#pairs.delete(pair)
        resolve(false)
      })
    })
  }

  /** Asks again and again whether the watcher still may. */
  #followRight(ctx: Context, browser: WebSocket, sessionId: string): void {
    const check = async () => {
      const may = await mayWatch(this.#services, callerOf(ctx).id, sessionId)
      // A session that has ended says so itself. Closing passes nothing more on, and the gateway is told.
      if (!may.ok && may.code === 'session_join_refused' && browser.readyState === browser.OPEN)
        refuse(browser, ctx, may.code)
    }
    const timer = setInterval(() => {
      check().catch((error: unknown) =>
        this.#services.log.warn({ err: error }, 'a watcher could not be checked'),
      )
    }, watcherEveryMs)
    browser.once('close', () => clearInterval(timer))
  }
}
