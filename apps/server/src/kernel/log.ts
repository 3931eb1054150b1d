import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

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
export function createLog(level: string, name = 'server'): Logger {
  const at = (prefix: string, key: string) => (key.startsWith('[') ? `${prefix}${key}` : `${prefix}.${key}`)
  const options = {
    name,
    level,
    redact: {
      paths: secretKeys.flatMap((key) => [key, at('*', key), at('*.*', key)]),
      censor: '[secret]',
    },
  }
  return process.stdout.isTTY ? pino(options, pretty({ ignore: 'pid,hostname', sync: true })) : pino(options)
}
