import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import pretty from 'pino-pretty'
import { violationOf } from './database/violations.ts'
import { codeOf } from './failure.ts'

export type { Logger } from 'pino'

/** Keys whose values never reach the log, wherever they occur down to three levels. */
const secretKeys = [
  'password',
  'secret',
  'passphrase',
  'private_key',
  'token',
  'access_key',
  'secret_key',
  'authorization',
  'cookie',
  '["set-cookie"]',
  '["x-csrftoken"]',
  'otp_secret_key',
  'connectionString',
]

/** JSON lines on stdout; readable lines when a person looks at a terminal. */
export function createLog(level: string, name = 'server', destination?: DestinationStream): Logger {
  const at = (prefix: string, key: string) => (key.startsWith('[') ? `${prefix}${key}` : `${prefix}.${key}`)
  const options = {
    name,
    level,
    serializers: { err: (error: unknown) => describeError(error) },
    redact: {
      paths: secretKeys.flatMap((key) => [key, at('*', key), at('*.*', key)]),
      censor: '[secret]',
    },
  }
  const written = { ...options, hooks: { logMethod: onceInOutage() } }
  if (destination !== undefined) return pino(written, destination)
  return process.stdout.isTTY ? pino(written, pretty({ ignore: 'pid,hostname', sync: true })) : pino(written)
}

const outageToldEveryMs = 10_000

/** While the database is away, or the storage full, everything fails in the same words: each is told once, and then how often, every ten seconds. */
function onceInOutage(): NonNullable<LoggerOptions['hooks']>['logMethod'] {
  const repeated = new Map<string, number>()
  return function (this: Logger, args, method) {
    const [fields, what] = args as unknown as [{ err?: unknown } | undefined, unknown]
    const outage = outageOf(fields?.err)
    if (typeof what !== 'string' || outage === undefined) return method.apply(this, args)
    const key = `${outage} ${what}`
    const times = repeated.get(key)
    if (times !== undefined) return void repeated.set(key, times + 1)
    repeated.set(key, 0)
    setTimeout(() => {
      const again = repeated.get(key) ?? 0
      repeated.delete(key)
      if (again > 0) method.apply(this, [{ repeated: again }, what])
    }, outageToldEveryMs).unref()
    return method.apply(this, args)
  }
}

function outageOf(error: unknown): string | undefined {
  if (violationOf(error)?.key === 'unavailable') return 'unavailable'
  return ['ENOSPC', 'EDQUOT'].find((full) => full === codeOf(error))
}

const maxCauses = 5

/**
 * An error with its causes, and nothing else of it: failed queries carry their parameters, in fields and in the message,
 * and those may be secrets.
 */
function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error
  const message = withoutValues(error)
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    message,
    code: codeOf(error),
    constraint: 'constraint' in error ? error.constraint : undefined,
    stack: error.stack?.replace(error.message, message),
    cause: depth < maxCauses && error.cause !== undefined ? describeError(error.cause, depth + 1) : undefined,
  }
}

/** The message without the parameters of a failed query, and without the value PostgreSQL could not read (class 22). */
function withoutValues(error: Error): string {
  const at = 'params' in error ? error.message.indexOf('\nparams: ') : -1
  const message = at === -1 ? error.message : error.message.slice(0, at)
  return /^22[0-9A-Z]{3}$/.test(codeOf(error) ?? '') ? message.replace(/"[^]*"/, '"…"') : message
}
