import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const firstBackoffMs = 500
const maxBackoffMs = 10_000
/** A process that once said that it is alive and then says nothing for so long is frozen. */
const frozenAfterMs = 30_000
/** So long after the end of its supervisor a process may still be there. */
const endsWithinMs = 20_000
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
   * @param {{name: string, command: string, args: string[], env: NodeJS.ProcessEnv, quietReadyMs?: number, frozenAfterMs?: number,
   * endsWithinMs?: number}} what
   * A process tells over its IPC channel that it is ready (`{kind: 'ready'}`), and every second that it is alive
   * (`{kind: 'alive'}`); one that is silent counts as ready when it has run for `quietReadyMs`.
   */
  constructor(what) {
    this.what = { frozenAfterMs, endsWithinMs, ...what }
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
      if (child.pid !== undefined) tellWarden({ pid: child.pid, endsWithinMs: this.what.endsWithinMs })
      let aliveTimer
      const alive = () => {
        clearTimeout(aliveTimer)
        aliveTimer = setTimeout(() => {
          say(`The ${name} is frozen and is killed.`)
          child.kill('SIGKILL')
        }, this.what.frozenAfterMs)
      }
      const ready = (announcement) => {
        isUp = true
        this.#ready.resolve(announcement)
      }
      child.on('message', (message) => {
        if (message?.kind === 'ready') ready(message)
        if (message?.kind === 'alive') alive()
      })
      const quiet = quietReadyMs === undefined ? undefined : setTimeout(() => ready({}), quietReadyMs)
      const end = await new Promise((done) => {
        child.once('error', (error) => done({ code: 1, reason: error.message }))
        child.once('exit', (code, signal) => done({ code: code ?? 1, reason: signal ?? `code ${code}` }))
      })
      clearTimeout(quiet)
      clearTimeout(aliveTimer)
      if (child.pid !== undefined) tellWarden({ pid: child.pid })
      this.#child = undefined
      if (!isUp) {
        this.#ready.reject(new EarlyExit(name, end.code))
        return
      }
      if (this.#stopping) return
      if (Date.now() - startedAt > healthyAfterMs) backoffMs = firstBackoffMs
      say(`The ${name} ended (${end.reason}); starting it again in ${backoffMs / 1000} s.`)
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

/** With the time, as the programs' own lines have it: this is read at three in the morning. */
function say(line) {
  console.error(`${new Date().toISOString()} ${line}`)
}

let warden

/**
 * What is run when this process is gone and what it started, too, unless it is told null before.
 * @param {{command: string, args: string[], env: NodeJS.ProcessEnv} | null} last
 */
export function runLast(last) {
  tellWarden({ last })
}

/** The warden kills what is left when this process is gone; see there. */
function tellWarden(line) {
  if (warden === undefined) {
    warden = spawn(process.execPath, [fileURLToPath(new URL('./warden.mjs', import.meta.url))], {
      env: {},
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    warden.unref()
    warden.stdin.unref?.()
    warden.stdin.on('error', () => {})
    warden.once('exit', () => (warden = undefined))
  }
  warden.stdin.write(`${JSON.stringify(line)}\n`)
}

/** It ended before it was ready, and has said why on its standard error. */
export class EarlyExit extends Error {
  constructor(name, code) {
    super(`The ${name} did not start (exit code ${code}).`)
    this.code = code
  }
}
