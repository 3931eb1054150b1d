/** What tests of this domain share: gateways with standing links, people, sessions and chunks. */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { defaultOrgId, roleIds } from '@sallyport/contract'
import { chunkPath, encodeFrame, encodeSize, frameType } from '@sallyport/contract/recording'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import type { TestAnswer, TestClient, TestComponent, TestSystem } from '../../testing.ts'

export const personPassword = 'Tr0ub4dor&3x'

/** Where a server listens, on a port of its own. */
export async function listenOn(http: FastifyInstance): Promise<string> {
  return (await http.listen({ host: '127.0.0.1', port: 0 })).replace('http', 'ws')
}

export interface Link {
  socket: WebSocket
  /** Everything it was told, in order. */
  tasks: { id: string; name: string; args: string; kwargs: Record<string, string> }[]
  report(sessions: string[], changes?: Record<string, unknown>): void
}

/** A gateway's standing link; open, and greeted with the tasks that wait. */
export async function link(gateway: TestComponent, origin: string, bootId: string): Promise<Link> {
  const path = '/ws/terminal-task/'
  const socket = new WebSocket(`${origin}${path}`, { headers: gateway.signed(path) })
  const tasks: Link['tasks'] = []
  const greeted = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('message', (data: Buffer) => {
      tasks.push(...(JSON.parse(data.toString('utf8')) as Link['tasks']))
      resolve()
    })
    socket.once('close', () => reject(new Error('the link was closed')))
  })
  await greeted
  return {
    socket,
    tasks,
    report: (sessions, changes = {}) =>
      socket.send(
        JSON.stringify({
          type: 'status',
          payload: {
            sessions,
            session_online: sessions.length,
            cpu_load: 0.1,
            memory_used: 40,
            disk_used: 20,
            boot_id: bootId,
            http: 'http://127.0.0.1:5000',
            ...changes,
          },
        }),
      ),
  }
}

export async function hangUp({ socket }: Link): Promise<void> {
  const closed = once(socket, 'close')
  socket.terminate()
  await closed
}

/** Waits until `look` answers something true; fails after `withinMs`. Answers how long it took. */
export async function until(withinMs: number, look: () => Promise<boolean> | boolean): Promise<number> {
  const started = performance.now()
  while (!(await look())) {
    if (performance.now() - started > withinMs) throw new Error(`not within ${withinMs} ms`)
    await sleep(20)
  }
  return performance.now() - started
}

/** A person with roles in the default organization. */
export async function person(
  system: TestSystem,
  admin: TestClient,
  username: string,
  orgRole: string = roleIds.orgUser,
): Promise<{ id: string; client: TestClient }> {
  const made = await admin.post(
    'users/users/',
    {
      name: username.toUpperCase(),
      username,
      email: `${username}@example.com`,
      password_strategy: 'custom',
      password: personPassword,
      system_roles: [roleIds.user],
      org_roles: [orgRole],
    },
    { org: defaultOrgId },
  )
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  const client = system.client()
  const answer = await client.signIn(username, personPassword)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  return { id: String(made.body['id']), client }
}

/** A session as a gateway puts it on the books; answers its id. */
export async function begin(gateway: TestClient, changes: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID()
  const answer = await gateway.post('terminal/sessions/', {
    id,
    user: 'Ann(ann)',
    user_id: '',
    asset: 'web1(10.0.0.1)',
    asset_id: randomUUID(),
    account: 'root(root)',
    account_id: randomUUID(),
    protocol: 'ssh',
    type: 'normal',
    login_from: 'WT',
    remote_addr: '192.0.2.1',
    org_id: defaultOrgId,
    date_start: new Date().toISOString(),
    ...changes,
  })
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
  return id
}

export interface TestChunk {
  bytes: Buffer
  start: number
  end: number
  isKeyframe?: boolean
}

/** A chunk that shows `text`; the first one begins with the window's size. */
export function chunkOf(text: string | Buffer, start = 0, size?: { cols: number; rows: number }): TestChunk {
  const frames = [
    ...(size ? [encodeFrame(frameType.resize, start, encodeSize(size))] : []),
    encodeFrame(frameType.output, start, Buffer.from(text)),
  ]
  return { bytes: zstdCompressSync(Buffer.concat(frames)), start, end: start + 500 }
}

export const putChunk = (
  gateway: TestClient,
  session: string,
  number: number,
  { bytes, start, end, isKeyframe = false }: TestChunk,
  headers: Record<string, string> = {},
  recording = 1,
): Promise<TestAnswer> =>
  gateway.put(`terminal/sessions/${session}/${chunkPath(recording, number)}`, bytes, {
    headers: {
      'x-chunk-sha256': createHash('sha256').update(bytes).digest('hex'),
      'x-chunk-start': String(start),
      'x-chunk-end': String(end),
      ...(isKeyframe ? { 'x-chunk-keyframe': '1' } : {}),
      ...headers,
    },
  })
