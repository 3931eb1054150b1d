import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { WebSocketServer } from 'ws'
import type { OpenSettings, Organization, Profile, PublicSettings } from '../kit/session/types.ts'

const bodyLimitBytes = 64 * 1024
const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

export interface FixtureAnswer {
  status?: number
  body?: unknown
  headers?: Record<string, string | string[]>
}

export interface FixtureRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: unknown
}

type Handler = (request: FixtureRequest) => FixtureAnswer

export interface Fixture {
  origin: string
  open: OpenSettings
  settings: PublicSettings
  profile: Profile
  isSignedIn: boolean
  /** Answers by `METHOD /path/`, before the documented ones. */
  answers: Map<string, Handler>
  /** Everything asked of the API so far, oldest first. */
  requests: FixtureRequest[]
  /** Says on the socket how many messages are unread, now and to whoever comes later; -1: the socket is refused. */
  setUnread: (count: number) => void
  close: () => Promise<void>
}

export const organizations = {
  root: { id: '00000000-0000-0000-0000-000000000000', name: 'GLOBAL', is_default: false, is_root: true },
  standard: { id: '00000000-0000-0000-0000-000000000002', name: 'DEFAULT', is_default: true, is_root: false },
  plant: { id: '5b0c6d4e-0f4e-4f0e-9d0e-1c2d3e4f5a6b', name: 'Plant', is_default: false, is_root: false },
} satisfies Record<string, Organization>

function openSettings(): OpenSettings {
  return {
    XPACK_ENABLED: true,
    INTERFACE: {
      favicon: '',
      login_title: 'Sallyport of the test',
      login_image: '',
      logo_logout: '',
      logo_index: '',
      theme: '',
      theme_info: {},
    },
  }
}

function publicSettings(): PublicSettings {
  return {
    ...openSettings(),
    XPACK_LICENSE_IS_VALID: true,
    XPACK_LICENSE_INFO: { corporation: 'Test Works Ltd' },
    SECURITY_MFA_VERIFY_TTL: 3600,
    SECURITY_PASSWORD_EXPIRATION_TIME: 9999,
    SECURITY_COMMAND_EXECUTION: true,
    PASSWORD_RULE: {
      SECURITY_PASSWORD_MIN_LENGTH: 6,
      SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: 12,
      SECURITY_PASSWORD_UPPER_CASE: true,
      SECURITY_PASSWORD_LOWER_CASE: false,
      SECURITY_PASSWORD_NUMBER: false,
      SECURITY_PASSWORD_SPECIAL_CHAR: false,
    },
    TICKETS_ENABLED: true,
    AUTH_TEMP_TOKEN: false,
    HELP_DOCUMENT_URL: 'https://docs.example.com/',
    HELP_SUPPORT_URL: 'https://support.example.com/',
    ANNOUNCEMENT_ENABLED: true,
    ANNOUNCEMENT: { ID: '', SUBJECT: '', CONTENT: '', LINK: '' },
  } as PublicSettings
}

function administrator(): Profile {
  const { root, standard, plant } = organizations
  return {
    id: '7d1c0000-0000-4000-8000-000000000001',
    name: 'Ann Admin',
    username: 'ann',
    email: 'ann@example.com',
    perms: [
      'users.view_user',
      'users.view_usergroup',
      'assets.view_asset',
      'assets.view_platform',
      'accounts.view_account',
      'perms.view_assetpermission',
      'perms.view_myassets',
      'terminal.view_session',
      'terminal.view_command',
      'audits.view_userloginlog',
      'audits.view_operatelog',
      'rbac.view_webterminal',
      'rbac.view_console',
      'rbac.view_audit',
      'authentication.view_connectiontoken',
    ],
    console_orgs: [root, standard, plant],
    audit_orgs: [root, standard, plant],
    workbench_orgs: [standard, plant],
    is_first_login: false,
    source: { value: 'local', label: 'Local' },
    date_password_last_updated: new Date().toISOString(),
    last_login: null,
    avatar_url: '',
    system_roles: [],
    org_roles: [],
  } as unknown as Profile
}

const sessionCookies = ['jms_session_expire=age; Path=/; Max-Age=3600']
const pageCookies = ['SESSION_COOKIE_NAME_PREFIX=jms_; Path=/', 'jms_csrftoken=test-token; Path=/']

/** A server that answers the console with the documented JSON, and serves it as built. */
export async function startFixture(folder: string): Promise<Fixture> {
  const signedOut: FixtureAnswer = { status: 401, body: { detail: 'no', code: 'not_authenticated' } }
  const whenSignedIn = (body: () => unknown) => (): FixtureAnswer =>
    fixture.isSignedIn ? { body: body() } : signedOut

  const documented = new Map<string, Handler>([
    ['GET /api/v1/settings/public/open/', () => ({ body: fixture.open })],
    ['GET /api/v1/settings/public/', whenSignedIn(() => fixture.settings)],
    ['GET /api/v1/users/profile/', whenSignedIn(() => fixture.profile)],
    ['GET /api/v1/assets/categories/', whenSignedIn(() => [])],
    [
      'POST /core/auth/login/',
      ({ query }) => {
        fixture.isSignedIn = true
        return { body: { next: query.get('next') ?? '/' }, headers: { 'set-cookie': sessionCookies } }
      },
    ],
    [
      'GET /core/auth/logout/',
      () => {
        fixture.isSignedIn = false
        return { status: 302, headers: { location: '/core/auth/login/' } }
      },
    ],
  ])

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://fixture')
    // As the server: pages of settings are one address, told apart by a parameter.
    if (url.pathname === '/api/v1/settings/setting/')
      url.pathname += `${url.searchParams.get('category') ?? 'basic'}/`
    const name = `${request.method ?? 'GET'} ${url.pathname}`
    const handler = fixture.answers.get(name) ?? documented.get(name)
    if (handler === undefined && !url.pathname.startsWith('/api/')) return servePage(url.pathname, response)
    const asked: FixtureRequest = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await readBody(request),
    }
    fixture.requests.push(asked)
    const {
      status = 200,
      body,
      headers = {},
    } = handler?.(asked) ?? {
      status: 404,
      body: { error: 'Not found' },
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    const isFile = typeof body === 'string' && 'content-disposition' in headers
    return response.end(body === undefined ? '' : isFile ? body : JSON.stringify(body))
  }

  const servePage = async (path: string, response: ServerResponse) => {
    const isPage = extname(path) === ''
    const file = isPage ? 'index.html' : normalize(path).replace(/^\/ui\//, '')
    try {
      const content = await readFile(join(folder, file))
      const cookies = isPage ? { 'set-cookie': pageCookies } : {}
      response.writeHead(200, { 'content-type': mediaTypes[extname(file)] ?? 'text/plain', ...cookies })
      response.end(content)
    } catch {
      response.writeHead(404).end()
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  const sockets = new WebSocketServer({ noServer: true })
  let unread = 0
  const said = () => JSON.stringify({ type: 'unread_count', unread_count: unread })
  sockets.on('connection', (socket) => socket.send(said()))
  server.on('upgrade', (request, socket, head) => {
    if (request.url === '/ws/notifications/site-msg/' && unread >= 0)
      sockets.handleUpgrade(request, socket, head, (open) => sockets.emit('connection', open, request))
    else socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fixture has no port')

  const fixture: Fixture = {
    origin: `http://127.0.0.1:${address.port}`,
    open: openSettings(),
    settings: publicSettings(),
    profile: administrator(),
    isSignedIn: false,
    answers: new Map(),
    requests: [],
    setUnread: (count) => {
      unread = count
      for (const socket of sockets.clients) {
        if (count < 0) socket.terminate()
        else socket.send(said())
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets.clients) socket.terminate()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return fixture
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const part of request) {
    text += String(part)
    if (text.length > bodyLimitBytes) throw new Error('the body is too long')
  }
  // Files go as they are.
  const isFile = /^(text|multipart)\//.test(request.headers['content-type'] ?? '')
  return isFile ? text : text === '' ? undefined : JSON.parse(text)
}
