import type { Address } from './config.ts'
import { ConfigError } from './config.ts'
import { codeOf } from './failure.ts'
import type { Logger } from './log.ts'

export interface Ready {
  /** Where people reach the console, for example http://127.0.0.1:8080; a worker alone has no such place. */
  origin: string | undefined
  /** Only when the administrator was created at this start with a generated password. */
  firstPassword: string | undefined
}

const aliveEveryMs = 1000

/**
 * Tells whoever started this process that it is ready: the supervisor of `npm start`, or the person at the terminal. The
 * first password goes this way only, never through the log. A supervisor is told every second from then on that this process is
 * alive: it ends one that is frozen.
 */
export function announceReady({ origin, firstPassword }: Ready): void {
  if (process.send !== undefined) {
    process.send({ kind: 'ready', origin, first_password: firstPassword })
    setInterval(() => process.connected && process.send?.({ kind: 'alive' }), aliveEveryMs).unref()
    return
  }
  process.stdout.write(origin === undefined ? 'The worker is ready\n' : `Sallyport is ready at ${origin}\n`)
  if (firstPassword !== undefined) {
    process.stdout.write(`Log in as admin with the password ${firstPassword} (shown only this once)\n`)
  }
}

/** The origin under which an address is reached from this machine. */
export function originOf(address: Address): string {
  const local = address.host === '0.0.0.0' || address.host === '::' ? '127.0.0.1' : address.host
  return `http://${local.includes(':') ? `[${local}]` : local}:${address.port}`
}

/** A failed listen in words; other errors stay as they are. */
export function explainListenError(error: unknown, variable: string, { host, port }: Address): unknown {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is taken; end the program that uses it or set ${variable} to another address.`,
    EACCES: `This account may not listen on port ${port}; set ${variable} to a port above 1023.`,
    EADDRNOTAVAIL: `This machine does not have the address ${host}; set ${variable} to one it has.`,
    ENOTFOUND: `The host ${host} is unknown; set ${variable} to an address of this machine.`,
  }
  const reason = reasons[codeOf(error) ?? '']
  return reason === undefined ? error : new ConfigError(reason, { cause: error })
}

type LogFailure = (error: unknown, what: string) => void

/** How connections and what flows over them break: at one peer's doing, and concerning them alone. */
const ofConnections: ReadonlySet<string | undefined> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
])

/**
 * What nobody caught ends the process with 1 after being logged. A file that was left open is closed by then, and a connection that broke is
 * gone: neither is a reason to cut off everybody who is served.
 */
export function endOnUncaught(log: Pick<Logger, 'error' | 'fatal'>): void {
  process.on('uncaughtException', (err) => {
    if (codeOf(err) === 'ERR_INVALID_STATE' && err.message.includes('closed during garbage collection')) {
      log.error({ err }, 'a file was left open')
      return
    }
    if (ofConnections.has(codeOf(err))) {
      log.error({ err }, 'a connection broke, and nobody caught it')
      return
    }
    log.fatal({ err }, 'an error nobody caught')
    process.exit(1)
  })
}

/**
 * Runs `stop` once at SIGTERM, SIGINT or when the supervisor is gone, and ends the process: with 0, or with 1 after
 * `timeoutMs`.
 */
export function endOnSignal(stop: () => Promise<void>, timeoutMs: number, logFailure: LogFailure): void {
  let stopping = false
  const end = () => {
    if (stopping) return
    stopping = true
    setTimeout(() => {
      logFailure(new Error(`still running after ${timeoutMs} ms`), 'the shutdown took too long')
      process.exit(1)
    }, timeoutMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logFailure(error, 'the shutdown failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('disconnect', end)
  // It went before this one was up.
  if (process.send !== undefined && !process.connected) end()
}
