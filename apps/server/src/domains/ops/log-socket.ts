/** `/ws/ops/tasks/log/`: the log of a task as it is written. */
import { isUuid, type Language, translate } from '@sallyport/contract'
import { taskLogSocketPath } from '@sallyport/contract/addresses'
import { texts } from '@sallyport/contract/messages/apps/ops'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { ApiError } from '../../kernel/errors.ts'
import type { Executions } from '../../kernel/executions/index.ts'
import { Latest } from '../../kernel/http/latest.ts'
import type { EnterAgain, SocketRoute } from '../../kernel/http/sockets.ts'
import type { Logger } from '../../kernel/log.ts'
import type { Served } from '../../kernel/resource/binding.ts'
import type { TaskExecutionRow } from './resources.ts'
import { executionSeen } from './task-log.ts'

const wanted = z.object({ task: z.string().max(64), type: z.enum(['celery', 'ansible']).optional() })
/** Of what is asked: the rest of it is not even read. */
const askedMaxBytes = 1024
/** Of one message: at most three bytes each. */
const maxChunkChars = 1365
/** While it waits to be begun. */
const dotMs = 500
/** How long somebody waits for a task that is not there (yet). */
const missingMs = 10_000
const lookMs = 1000

export const logSocket = (
  served: Served<TaskExecutionRow>,
  executions: Executions,
  log: Logger,
): SocketRoute => ({
  path: taskLogSocketPath,
  access: 'valid_user',
  open: ({ language }, socket, _request, again) => {
    // Who asks for another is done with the one before.
    const latest = new Latest<string>(
      (task, signal) => follow({ again, language, socket, signal }, served, executions, task),
      (error) => {
        latest.end()
        if (error instanceof ApiError) return socket.close(1008)
        log.warn({ err: error }, 'a task log could not be followed')
        socket.close(1011)
      },
    )
    socket.on('close', () => latest.end())
    socket.on('message', (data: Buffer) => {
      const asked = wanted.safeParse(parsed(data))
      if (asked.success) latest.ask(asked.data.task)
      else socket.close(1003)
    })
  },
})

function parsed(data: Buffer): unknown {
  if (data.byteLength > askedMaxBytes) return undefined
  try {
    return JSON.parse(data.toString()) as unknown
  } catch {
    return undefined
  }
}

interface Follower {
  again: EnterAgain
  language: Language
  socket: WebSocket
  signal: AbortSignal
}

async function follow(
  { again, language, socket, signal }: Follower,
  served: Served<TaskExecutionRow>,
  executions: Executions,
  task: string,
): Promise<void> {
  const say = (message: object) => sent(socket, JSON.stringify(message))
  const notFound = async () => {
    await say({ message: `${translate(texts, language, 'execution_not_found', { task })}\r\n`, task })
    await say({ event: 'end', task, message: '' })
  }
  const begun = new AbortController()
  signal.addEventListener('abort', () => begun.abort(), { signal: begun.signal })
  void dots(say, task, begun.signal)
  try {
    const row = await awaited(served, again, task, signal)
    if (signal.aborted) return
    if (row === undefined) {
      begun.abort()
      return await notFound()
    }
    for await (const { lines, hasBegun, isEnd } of executions.follow(row.id, 0, signal)) {
      if ((hasBegun || isEnd) && !begun.signal.aborted) {
        begun.abort()
        await say({ message: '\r\n' })
      }
      // Rights may have been taken away since the lines before.
      if (lines.length > 0 && (await executionSeen(served, await again(), task)) === undefined)
        return await notFound()
      for (const message of chunksOf(lines)) await say({ message, task })
      if (isEnd) await say({ event: 'end', task, message: '' })
    }
  } finally {
    begun.abort()
  }
}

/** The task once it is there for this person; undefined where it does not come. */
async function awaited(
  served: Served<TaskExecutionRow>,
  again: EnterAgain,
  task: string,
  signal: AbortSignal,
): Promise<TaskExecutionRow | undefined> {
  const end = Date.now() + missingMs
  for (;;) {
    const row = await executionSeen(served, await again(), task)
    // What is no id names nothing that is yet to come.
    if (row !== undefined || !isUuid(task) || Date.now() >= end || signal.aborted) return row
    await sleep(lookMs, undefined, { signal }).catch(() => undefined)
  }
}

async function dots(say: (message: object) => Promise<void>, task: string, signal: AbortSignal) {
  for (;;) {
    await sleep(dotMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return
    await say({ message: '.', task }).catch(() => undefined)
  }
}

function* chunksOf(lines: readonly string[]): Generator<string> {
  const text = lines.map((line) => `${line}\r\n`).join('')
  for (let at = 0; at < text.length;) {
    // Not between the halves of one character.
    const isHalf = (text.codePointAt(at + maxChunkChars - 1) ?? 0) > 0xff_ff
    const end = at + maxChunkChars - (isHalf ? 1 : 0)
    yield text.slice(at, end)
    at = end
  }
}

/** Resolves when it has been handed to the network, so that a reader who is slow is waited for. */
const sent = (socket: WebSocket, text: string) =>
  new Promise<void>((resolve, reject) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    socket.send(text, (error) => (error ? reject(error) : resolve()))
  })
