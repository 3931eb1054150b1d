/** Starts and ends the real programs, each as the supervisor would. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const repository = fileURLToPath(new URL('../../', import.meta.url))

export interface Program {
  pid: number
  /** What it announced when it was ready. */
  announced: { origin?: string; first_password?: string }
  /** Sends it a message over IPC; what it says to it is the next it says of that kind. */
  ask(message: string, kind: string): Promise<Record<string, unknown>>
  /** Everything it wrote. */
  output(): string
  kill(signal?: NodeJS.Signals): Promise<void>
}

/** Runs a program of the repository until it announces itself ready over IPC; rejects with its output when it ends before. */
export async function startProgram(
  path: string,
  env: Record<string, string>,
  readyTimeoutMs = 150_000,
): Promise<Program> {
  const written: string[] = []
  const child = spawn(process.execPath, [`${repository}${path}`], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text: Buffer) => written.push(text.toString()))
  const ready = new Promise<Program['announced']>((resolve, reject) => {
    child.on('message', (message) => resolve(message as Program['announced']))
    child.once('exit', () => reject(new Error(`${path} ended: ${written.join('')}`)))
    setTimeout(
      () => reject(new Error(`${path} was not ready in time: ${written.join('')}`)),
      readyTimeoutMs,
    ).unref()
  })
  const announced = await ready.catch(async (error: unknown) => {
    await endChild(child, 'SIGKILL')
    throw error
  })
  return {
    pid: child.pid ?? 0,
    announced,
    ask: (message, kind) => askProgram(child, message, kind),
    output: () => written.join(''),
    kill: (signal = 'SIGTERM') => endChild(child, signal),
  }
}

/** Sends a program a message; what it says to it is the next it says of that kind, whatever else it says in the same turn. */
export const askProgram = (
  child: ChildProcess,
  message: string,
  kind: string,
): Promise<Record<string, unknown>> =>
  new Promise((resolve) => {
    const hear = (told: unknown) => {
      const answer = told as Record<string, unknown>
      if (answer['kind'] !== kind) return
      child.off('message', hear)
      resolve(answer)
    }
    child.on('message', hear)
    child.send(message)
  })

async function endChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const inTime = await Promise.race([ended.then(() => true), sleep(20_000).then(() => false)])
  if (!inTime) {
    child.kill('SIGKILL')
    await ended
  }
}

/** A process with everything it started, and what these started. */
export async function familyOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid='])
  const all = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const family = [pid]
  for (const one of family)
    for (const [child = 0, parent] of all) if (parent === one && child > 0) family.push(child)
  return family
}

/** Kills them all, except who has ended by itself since it was listed, as short-lived workers of a database do. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Asks until the answer is there; rejects with what it waited for. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs = 45_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for: ${what}`)
    await sleep(50)
  }
}
