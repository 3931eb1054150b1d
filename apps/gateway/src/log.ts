import { pino, type Logger } from 'pino'

export type Log = Logger

const secretPaths = [
  'secret',
  'password',
  'authorization',
  'cookie',
  'token',
  'passphrase',
  'input_secret',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** JSON lines on standard output, pretty on a terminal. Fields that hold secrets are blanked whatever is logged. */
export function createLog(level: string): Log {
  return pino({
    level,
    base: { name: 'gateway' },
    redact: { paths: secretPaths, censor: '***' },
    ...(process.stdout.isTTY ? { transport: { target: 'pino-pretty' } } : {}),
  })
}
