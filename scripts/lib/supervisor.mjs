import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const firstBackoffMs = 500
const maxBackoffMs = 10_000
/** A process that ran so long did not die of its start: the backoff begins anew. */
const healthyAfterMs = 60_000

/**
 * Keeps one process running: when it ends it is started again, the later the more often it dies. It lives in a process
 * group of its own, so that Ctrl-C reaches the supervisor alone, which ends things in their order.
 */
export class Supervised {
  #child
  #stopping = false
  #ready
  #firstReady

  /**
   * @param {{name: string, command: string, args: string[], env: NodeJS.ProcessEnv, quietReadyMs?: number}} what
   * A process tells over its IPC channel that it is ready (`{kind: 'ready'}`); one that is silent counts as ready when it
   * has run for `quietReadyMs`.
   */
  constructor(what) {
    this.what = what
  }

  /**
   * Starts it. Resolves with what it announced once it is ready.
   * @returns {Promise<{origin?: string, first_password?: string}>} rejects with EarlyExit when it ends before
   */
  async start() {
    this.#firstReady = new Promise((resolve, reject) => {
      this.#ready = { resolve, reject }
    })
    void this.#keepRunning()
    return await this.#firstReady
  }

  async #keepRunning() {
    let isUp = false
    let backoffMs = firstBackoffMs
    while (!this.#stopping) {
      const startedAt = Date.now()
      const { name, command, args, env, quietReadyMs } = this.what
      const child = spawn(command, args, {
        env,
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      this.#child = child
      const ready = (announcement) => {
        isUp = true
        this.#ready.resolve(announcement)
      }
      child.on('message', (message) => {
        if (message?.kind === 'ready') ready(message)
      })
      const quiet = quietReadyMs === undefined ? undefined : setTimeout(() => ready({}), quietReadyMs)
      const end = await new Promise((done) => {
        child.once('error', (error) => done({ code: 1, reason: error.message }))
        child.once('exit', (code, signal) => done({ code: code ?? 1, reason: signal ?? `code ${code}` }))
      })
      clearTimeout(quiet)
      this.#child = undefined
      if (!isUp) {
        this.#ready.reject(new EarlyExit(name, end.code))
        return
      }
      if (this.#stopping) return
      if (Date.now() - startedAt > healthyAfterMs) backoffMs = firstBackoffMs
      console.error(`The ${name} ended (${end.reason}); starting it again in ${backoffMs / 1000} s.`)
      await sleep(backoffMs)
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs)
    }
  }

  /** Asks it to end; kills it when it is not gone after `timeoutMs`. */
  async stop(timeoutMs) {
    this.#stopping = true
    const child = this.#child
    if (child === undefined) return
    const gone = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    await gone
    clearTimeout(timer)
  }
}

/** It ended before it was ready, and has said why on its standard error. */
export class EarlyExit extends Error {
  constructor(name, code) {
    super(`The ${name} did not start (exit code ${code}).`)
    this.code = code
  }
}
