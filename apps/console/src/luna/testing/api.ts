/** A plain HTTP server that answers the documented calls of these pages, serves the built pages, and holds the fake gateway. */
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { terminalSocketPath, terminalSubprotocol } from '@sallyport/contract/terminal-socket'
import { WebSocketServer } from 'ws'
import { builtFolder } from '../../testing/built-folder.ts'
import { FakeGateway } from './gateway.ts'
import type { FixtureRecording } from './recording-fixture.ts'

export interface FixtureSession {
  id: string
  [field: string]: unknown
}

const asset = (id: string, name: string, address: string, more: Record<string, unknown> = {}) => ({
  id,
  name,
  address,
  is_active: true,
  org_name: 'DEFAULT',
  platform: { id: 1, name: 'Linux' },
  protocols: [{ name: 'ssh', port: 22 }],
  ...more,
})

const treeNode = (id: string, name: string, pId: string) => ({
  id,
  name,
  title: name,
  pId,
  isParent: true,
  open: false,
  meta: { type: 'node', data: { id, key: id, value: name } },
})

type Asset = ReturnType<typeof asset>

const treeAsset = (row: Asset, pId: string) => ({
  id: row.id,
  name: row.name,
  title: row.address,
  pId,
  isParent: false,
  open: false,
  iconSkin: 'linux',
  chkDisabled: !row.is_active,
  meta: { type: 'asset', data: { platform_type: 'linux', org_name: 'DEFAULT', sftp: true } },
})

export class FakeServer {
  readonly gateway = new FakeGateway()
  /** Connection tokens asked for, as they came. */
  readonly tokens: { id: string; body: Record<string, unknown> }[] = []
  readonly killed: { sessions: string[]; reason: string }[] = []
  readonly sessions = new Map<string, FixtureSession>()
  /** By session; those beside the first by `session/number`. */
  readonly recordings = new Map<string, FixtureRecording>()
  readonly commands: Record<string, unknown>[] = []
  /** Chunk numbers fetched, in order. */
  readonly fetchedChunks: number[] = []
  isSignedIn = true
  /** Who is logged in. */
  userId = 'u1'
  isFirstLogin = false
  /** The next token call is refused with this body. */
  refuseToken: { code: string; detail: string } | undefined
  assets: Asset[] = [
    asset('a1', 'web-01', '10.1.1.5'),
    asset('a2', 'db-01', '10.1.1.6'),
    asset('a3', 'old-01', '10.1.1.7', { is_active: false }),
    ...Array.from({ length: 30 }, (_, index) => asset(`n${index}`, `node-${index}`, `10.2.0.${index}`)),
  ]
  accounts: Record<string, { alias: string; name: string; username: string; has_secret: boolean }[]> = {
    a1: [{ alias: 'root', name: 'root', username: 'root', has_secret: true }],
    a2: [
      { alias: 'postgres', name: 'postgres', username: 'postgres', has_secret: true },
      { alias: '@INPUT', name: 'Manual input', username: '@INPUT', has_secret: false },
    ],
  }
  private favorites = new Set<string>()
  private readonly http = createServer((request, response) => void this.answer(request, response))
  private readonly sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: () => terminalSubprotocol,
  })

  constructor() {
    this.http.on('upgrade', (request, socket, head) => {
      if (this.gateway.isDown || !request.url?.startsWith(terminalSocketPath)) {
        socket.destroy()
        return
      }
      this.sockets.handleUpgrade(request, socket, head, (webSocket) =>
        this.gateway.accept(webSocket, request),
      )
    })
  }

  async start(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.http.listen(port, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`
  }

  async stop() {
    this.gateway.close()
    for (const client of this.sockets.clients) client.terminate()
    this.http.closeAllConnections()
    await new Promise((resolve) => this.http.close(resolve))
  }

  private async answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://server')
    if (url.pathname.startsWith('/luna')) return this.file('luna.html', response)
    if (url.pathname.startsWith('/ui/')) return this.file(url.pathname.slice(4), response)
    const body = await readBody(request)
    const result = this.call(request.method ?? 'GET', url, body, response)
    if (result === 'answered') return undefined
    const { status, json } = result ?? { status: 404, json: { detail: 'Not found.', code: 'not_found' } }
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(json === undefined ? '' : JSON.stringify(json))
    return undefined
  }

  private async file(name: string, response: ServerResponse) {
    const types: Record<string, string> = {
      '.html': 'text/html',
      '.js': 'text/javascript',
      '.css': 'text/css',
    }
    const content = await readFile(path.join(builtFolder(), path.normalize(name))).catch(() => undefined)
    if (content === undefined) response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': types[path.extname(name)] ?? 'application/octet-stream' })
        .end(content)
  }

  private call(method: string, url: URL, body: unknown, response: ServerResponse) {
    const ok = (json: unknown, status = 200) => ({ status, json })
    const route = `${method} ${url.pathname.replace('/api/v1/', '')}`
    const query = url.searchParams
    switch (route) {
      case 'GET users/profile/':
        if (!this.isSignedIn) return ok({ detail: 'Sign in first', code: 'not_authenticated' }, 401)
        return ok({
          id: this.userId,
          name: 'Ann',
          username: 'ann',
          is_first_login: this.isFirstLogin,
          perms: [
            'terminal.terminate_session',
            'terminal.monitor_session',
            'terminal.download_sessionreplay',
            'rbac.view_webterminal',
          ],
          workbench_orgs: [{ id: 'o2', name: 'DEFAULT', is_default: true, is_root: false }],
        })
      case 'GET settings/public/':
        return ok({
          SECURITY_WATERMARK_ENABLED: true,
          INTERFACE: { login_title: 'Sallyport', theme_info: {} },
        })
      case 'GET perms/users/self/nodes/children-with-assets/tree/':
        return ok(this.level(query.get('key')))
      case 'GET perms/users/self/assets/':
        return ok(this.search(query))
      case 'GET assets/favorite-assets/':
        return ok([...this.favorites].map((id) => ({ asset: id })))
      case 'POST assets/favorite-assets/':
        this.favorites.add((body as { asset: string }).asset)
        return ok(body, 201)
      case 'DELETE assets/favorite-assets/':
        this.favorites.delete(query.get('asset') ?? '')
        return ok(undefined, 204)
      case 'GET terminal/components/connect-methods/':
        return ok({
          ssh: [
            { component: 'koko', type: 'web', endpoint_protocol: 'http', value: 'web_cli', label: 'Web CLI' },
            {
              component: 'koko',
              type: 'web',
              endpoint_protocol: 'http',
              value: 'web_sftp',
              label: 'Web SFTP',
            },
            { component: 'koko', type: 'native', endpoint_protocol: 'ssh', value: 'ssh', label: 'SSH' },
          ],
        })
      case 'POST authentication/connection-token/':
      case 'POST authentication/connection-token/exchange/': {
        const refusal = this.refuseToken
        this.refuseToken = undefined
        if (refusal) return ok(refusal, 400)
        const id = `token-${this.tokens.length + 1}`
        this.tokens.push({ id, body: body as Record<string, unknown> })
        return ok({ id, value: 'v'.repeat(16) }, 201)
      }
      case 'POST terminal/tasks/kill-session/': {
        const order = body as (typeof this.killed)[number]
        this.killed.push(order)
        return ok({ ok: order.sessions })
      }
      case 'GET terminal/commands/':
        return ok(this.commandPage(query))
      default:
        return this.callWithId(method, url, response)
    }
  }

  private callWithId(method: string, url: URL, response: ServerResponse) {
    const [, tokenId] = /connection-token\/([^/]+)\/client-url\/$/.exec(url.pathname) ?? []
    if (tokenId !== undefined) {
      const file = { id: tokenId, command: `ssh JMS-${tokenId}@127.0.0.1 -p 2222`, file: {} }
      return { status: 200, json: { url: `jms://${Buffer.from(JSON.stringify(file)).toString('base64')}` } }
    }
    const [, assetId] = /perms\/users\/self\/assets\/([^/]+)\/accounts\/$/.exec(url.pathname) ?? []
    if (assetId !== undefined) return { status: 200, json: this.accounts[assetId] ?? this.accounts['a1'] }
    const [, sessionId = '', rest = ''] = /terminal\/sessions\/([^/]+)\/(.*)$/.exec(url.pathname) ?? []
    if (method !== 'GET') return undefined
    if (rest === '') {
      const session = this.sessions.get(sessionId)
      return session && { status: 200, json: session }
    }
    if (rest === 'recordings/') return { status: 200, json: this.recordingsOf(sessionId) }
    const [, which = '1', part, number] = /^recording(?:s\/(\d+))?\/(?:(chunks)\/(\d+)\/)?$/.exec(rest) ?? []
    const recording = this.recordings.get(which === '1' ? sessionId : `${sessionId}/${which}`)
    if (part === undefined) return recording && { status: 200, json: recording.index }
    const chunk = recording?.chunks.get(Number(number))
    if (!chunk) return undefined
    this.fetchedChunks.push(Number(number))
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-encoding': 'zstd' })
      .end(chunk)
    return 'answered' as const
  }

  private recordingsOf(sessionId: string) {
    const named = [...this.recordings].filter(([name]) => name.split('/')[0] === sessionId)
    return named.map(([name, { index }]) => ({
      number: Number(name.split('/')[1] ?? 1),
      kind: index.kind,
      duration_ms: index.duration_ms,
      bytes: index.chunks.reduce((sum, { size }) => sum + size, 0),
      is_complete: index.is_complete,
    }))
  }

  private level(key: string | null) {
    if (key === null) {
      return [
        treeNode('favorite', 'Favorite', ''),
        treeNode('1', 'Default (33)', ''),
        treeNode('1:1', 'Ops (2)', '1'),
      ]
    }
    if (key === 'favorite') {
      return this.assets.filter(({ id }) => this.favorites.has(id)).map((row) => treeAsset(row, key))
    }
    if (key === '1')
      return [treeNode('1:1', 'Ops (2)', '1'), ...this.assets.slice(0, 3).map((row) => treeAsset(row, key))]
    return this.assets.slice(3, 5).map((row) => treeAsset(row, key))
  }

  private search(query: URLSearchParams) {
    const id = query.get('id')
    if (id !== null) return this.assets.filter((row) => row.id === id)
    const text = query.get('search') ?? ''
    const found = this.assets.filter((row) => row.name.includes(text) || row.address.includes(text))
    const offset = Number(query.get('offset') ?? 0)
    return { count: found.length, results: found.slice(offset, offset + Number(query.get('limit') ?? 15)) }
  }

  private commandPage(query: URLSearchParams) {
    const input = query.get('input') ?? ''
    const rows = this.commands.filter((row) => String(row['input']).includes(input))
    const offset = Number(query.get('offset') ?? 0)
    return { count: rows.length, results: rows.slice(offset, offset + Number(query.get('limit') ?? 30)) }
  }
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString()
  return text === '' ? undefined : JSON.parse(text)
}
