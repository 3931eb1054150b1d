import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
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
  if (destination !== undefined) return pino(options, destination)
  return process.stdout.isTTY ? pino(options, pretty({ ignore: 'pid,hostname', sync: true })) : pino(options)
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
