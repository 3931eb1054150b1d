/** The whole server on a database of its own, as tests of the domains use it: real sign-ins, real permissions, real HTTP. */
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cookies, rootOrgId } from '@sallyport/contract'
import {
  digestHeader,
  digestValue,
  nonceHeader,
  signatureValue,
  signedNames,
  signingText,
} from '@sallyport/contract/gateway/signature'
import type { FastifyInstance } from 'fastify'
import { afterAll } from 'vitest'
import { compose } from './compose.ts'
import { createDomains } from './domains.ts'
import { readConfig } from './kernel/config.ts'
import type { Database } from './kernel/database/index.ts'
import { createExecutions } from './kernel/executions/index.ts'
import type { Ground } from './kernel/ground.ts'
import { createJobs } from './kernel/jobs.ts'
import { openLive } from './kernel/live.ts'
import type { Logger } from './kernel/log.ts'
import { loadSecrets } from './kernel/secrets/index.ts'
import { openStorage } from './kernel/storage/index.ts'
import { createTestDatabase, testLog } from './kernel/testing/index.ts'

export const adminPassword = 'Correct-horse-9'

export interface TestAnswer {
  status: number
  headers: Record<string, unknown>
  /** Parsed JSON; the text where it is none. */
  body: TestBody
  bytes: Buffer
}
/** JSON of any shape: tests look into it by name. */
export type TestBody = { [key: string]: TestBody } & TestBody[] & { [index: number]: TestBody }

export interface TestRequest {
  headers?: Record<string, string>
  org?: string
  language?: string
}

/** One browser or program: keeps cookies, repeats the form token. */
export interface TestClient {
  cookies: Map<string, string>
  get(url: string, request?: TestRequest): Promise<TestAnswer>
  post(url: string, body?: unknown, request?: TestRequest): Promise<TestAnswer>
  put(url: string, body?: unknown, request?: TestRequest): Promise<TestAnswer>
  patch(url: string, body?: unknown, request?: TestRequest): Promise<TestAnswer>
  delete(url: string, request?: TestRequest): Promise<TestAnswer>
  head(url: string, request?: TestRequest): Promise<TestAnswer>
  options(url: string, request?: TestRequest): Promise<TestAnswer>
  /** Signs in through the page; answers what the server said. */
  signIn(username: string, password: string): Promise<TestAnswer>
}

export interface TestSystem {
  ground: Ground
  database: Database
  http: FastifyInstance
  /**
   * Another server on the same database and storage, as behind a load balancer; with a log of its own where a test reads it. `isDeaf`: its
   * connection for live events is lost, for good.
   */
  anotherNode(own?: { log?: Logger; isDeaf?: boolean }): Promise<FastifyInstance>
  /** Somebody new at the door, from this address. */
  client(options?: { address?: string; headers?: Record<string, string> }): TestClient
  /** The first administrator, signed in. */
  admin(): Promise<TestClient>
  /** A registered component: a gateway's account and terminal. */
  component(name: string): Promise<TestComponent>
}

/** Signs its requests with the key it was given. */
export interface TestComponent extends TestClient {
  key: { id: string; secret: string }
  /** Headers of a signed GET, for a websocket. */
  signed(path: string): Record<string, string>
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Paths without a slash in front lie below `/api/v1/`. */
const addressOf = (url: string) => (url.startsWith('/') ? url : `/api/v1/${url}`)

function parsed(text: string): TestBody {
  try {
    return JSON.parse(text) as TestBody
  } catch {
    return text as unknown as TestBody
  }
}

interface ClientOptions {
  address?: string
  headers?: Record<string, string>
  /** Headers that depend on the request. */
  sign?: (method: Method, path: string, body?: Buffer | string) => Record<string, string>
}

/** A body as it travels: forms as multipart/form-data, bytes and texts as they are, all else as JSON. */
async function encoded(body: unknown): Promise<{ payload?: Buffer | string; type?: string }> {
  if (body === undefined) return {}
  if (Buffer.isBuffer(body)) return { payload: body, type: 'application/octet-stream' }
  if (body instanceof FormData) {
    const form = new Response(body)
    const type = form.headers.get('content-type') ?? ''
    return { payload: Buffer.from(await form.arrayBuffer()), type }
  }
  return { payload: typeof body === 'string' ? body : JSON.stringify(body), type: 'application/json' }
}

function createClient(
  http: FastifyInstance,
  { address = '127.0.0.1', headers = {}, sign }: ClientOptions = {},
): TestClient {
  const jar = new Map<string, string>()
  async function send(
    method: Method,
    url: string,
    body: unknown,
    request: TestRequest = {},
  ): Promise<TestAnswer> {
    const csrf = jar.get(cookies.csrf)
    const { payload, type } = await encoded(body)
    const answer = await http.inject({
      method,
      url: addressOf(url),
      remoteAddress: address,
      cookies: Object.fromEntries(jar),
      headers: {
        'accept-language': request.language ?? 'en',
        ...(csrf === undefined ? {} : { 'x-csrftoken': csrf }),
        ...(request.org === undefined ? {} : { 'x-jms-org': request.org }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...headers,
        ...sign?.(method, addressOf(url), payload),
        ...request.headers,
      },
      ...(payload === undefined ? {} : { payload }),
    })
    for (const cookie of answer.cookies) {
      if (cookie.value === '' || cookie.maxAge === 0) jar.delete(cookie.name)
      else jar.set(cookie.name, cookie.value)
    }
    return {
      status: answer.statusCode,
      headers: answer.headers,
      body: parsed(answer.body),
      bytes: answer.rawPayload,
    }
  }
  return {
    cookies: jar,
    get: (url, request) => send('GET', url, undefined, request),
    post: (url, body, request) => send('POST', url, body, request),
    put: (url, body, request) => send('PUT', url, body, request),
    patch: (url, body, request) => send('PATCH', url, body, request),
    delete: (url, request) => send('DELETE', url, undefined, request),
    head: (url, request) => send('HEAD', url, undefined, request),
    options: (url, request) => send('OPTIONS', url, undefined, request),
    signIn: async (username, password) => {
      await send('GET', '/core/auth/login/', undefined)
      return await send('POST', '/core/auth/login/', { username, password })
    },
  }
}

async function registerComponent(
  http: FastifyInstance,
  dataDir: string,
  name: string,
): Promise<TestComponent> {
  const token = (await readFile(join(dataDir, 'keys', 'bootstrap_token'), 'utf8')).trim()
  const answer = await createClient(http).post(
    'terminal/terminal-registrations/',
    { name, type: 'koko', comment: 'a gateway' },
    { headers: { authorization: `BootstrapToken ${token}` } },
  )
  if (answer.status !== 201) throw new Error(`not registered: ${JSON.stringify(answer.body)}`)
  const key = answer.body['service_account']?.['access_key'] as unknown as { id: string; secret: string }
  const sign = (method: Method, target: string, body: Buffer | string = '') => {
    const headers = {
      date: new Date().toUTCString(),
      [digestHeader]: digestValue(createHash('sha256').update(body).digest('base64')),
      [nonceHeader]: randomBytes(16).toString('base64url'),
    }
    const text = signingText(signedNames, { method, target, headers }) ?? ''
    const signature = createHmac('sha256', key.secret).update(text).digest('base64')
    return { ...headers, authorization: signatureValue(key.id, signedNames, signature) }
  }
  const client = createClient(http, { sign, headers: { 'x-jms-org': rootOrgId } })
  return { ...client, key, signed: (path) => sign('GET', path) }
}

/**
 * Starts everything, configured by `env`, too, the work beside requests and captchas only where they are asked for; ends it after the last
 * test of the file.
 */
export async function startTestSystem({
  work = false,
  captcha = false,
  env = {},
}: { work?: boolean; captcha?: boolean; env?: NodeJS.ProcessEnv } = {}): Promise<TestSystem> {
  const database = await createTestDatabase()
  if (!captcha)
    await database.pool.query(
      `insert into settings (name, value, category) values ('SECURITY_LOGIN_CAPTCHA_ENABLED', 'false', 'security')`,
    )
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-server-'))
  const config = readConfig({
    SALLYPORT_DATA: dataDir,
    SALLYPORT_SECRET_KEY: 'the secret key of tests',
    SALLYPORT_ADMIN_PASSWORD: adminPassword,
    ...env,
  })
  const live = await openLive(database, testLog)
  const jobs = createJobs(database, testLog)
  const ground: Ground = {
    config,
    log: testLog,
    database,
    secrets: await loadSecrets(config, database),
    live,
    jobs,
    executions: createExecutions({ database, live, jobs, log: testLog }),
    storage: await openStorage(database, config.storageDir, testLog),
    close: () => live.close(),
  }
  const stops: (() => Promise<void>)[] = [
    () => live.close(),
    () => rm(dataDir, { recursive: true, force: true }),
  ]
  async function startNode(own: Ground): Promise<FastifyInstance> {
    const domains = await createDomains(own)
    const server = await compose(own, domains.list, domains.gatekeeper, { work })
    stops.unshift(() => server.stop())
    return server.http
  }
  const http = await startNode(ground)
  afterAll(async () => {
    for (const stop of stops) await stop()
  })
  const client = (options?: { address?: string; headers?: Record<string, string> }) =>
    createClient(http, options)
  return {
    ground,
    database,
    http,
    anotherNode: async ({ log = testLog, isDeaf = false } = {}) => {
      const own = await openLive(database, testLog)
      stops.unshift(() => own.close())
      const jobs = createJobs(database, testLog)
      const executions = createExecutions({ database, live: own, jobs, log: testLog })
      const node = await startNode({ ...ground, log, live: own, jobs, executions })
      if (isDeaf) await own.close()
      return node
    },
    component: (name) => registerComponent(http, dataDir, name),
    client,
    admin: async () => {
      const admin = client()
      const answer = await admin.signIn('admin', adminPassword)
      if (answer.status !== 200)
        throw new Error(`the administrator cannot sign in: ${JSON.stringify(answer.body)}`)
      return admin
    },
  }
}
