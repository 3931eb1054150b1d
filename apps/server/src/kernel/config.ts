import { join, resolve } from 'node:path'
import { z } from 'zod'

/** Something the operator set is wrong. The message is one line that says what to do; it never holds a secret. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export const roles = ['api', 'worker', 'gateway'] as const
export type Role = (typeof roles)[number]

export interface Address {
  host: string
  port: number
}

export interface Config {
  /** Absolute path of the data folder. */
  dataDir: string
  /** Absolute path of the folder recordings lie in, which all servers of one database share. */
  storageDir: string
  http: Address
  ssh: Address
  /** The first administrator's password, when the operator chose it. */
  adminPassword: string | undefined
  /** Keys for secrets at rest; the first encrypts, all decrypt. Empty: one is generated into the data folder. */
  secretKeys: string[]
  /** The Ed25519 public key licences are checked with, 32 bytes in base64; without one none can be imported. */
  licenseKey: string | undefined
  /** An external PostgreSQL; undefined means the embedded one. */
  databaseUrl: string | undefined
  roles: ReadonlySet<Role>
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'
}

const address = z.string().transform((text, context): Address => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text)
  const port = Number(match?.[3])
  const host = match?.[1] ?? match?.[2]
  if (host === undefined || port > 65535) {
    context.addIssue('must be host:port, for example 127.0.0.1:8080')
    return z.NEVER
  }
  return { host, port }
})

const databaseUrl = z.string().refine((text) => {
  const protocol = URL.canParse(text) ? new URL(text).protocol : ''
  return protocol === 'postgres:' || protocol === 'postgresql:'
}, 'must look like postgres://user:password@host:5432/database')

const roleList = z.string().transform((text, context) => {
  const names = text.split(',').map((name) => name.trim())
  const known = roles.filter((role) => names.includes(role))
  if (known.length === 0 || names.some((name) => !roles.some((role) => role === name))) {
    context.addIssue(`must be a comma-separated list of ${roles.join(', ')}`)
    return z.NEVER
  }
  return new Set(known)
})

const secretKeys = z.string().transform((text, context) => {
  const keys = text.split(',').map((key) => key.trim())
  if (keys.some((key) => key.length < 16 || key.length > 1024)) {
    context.addIssue('must be one key of at least 16 characters, or several separated by commas')
    return z.NEVER
  }
  return keys
})

const isPublicKey = (text: string) => /^[\w+/-]{43}=?$/.test(text)

const environment = z.object({
  SALLYPORT_DATA: z.string().max(4096).default('./data'),
  SALLYPORT_STORAGE: z.string().max(4096).optional(),
  SALLYPORT_HTTP: address.prefault('127.0.0.1:8080'),
  SALLYPORT_SSH: address.prefault('0.0.0.0:2222'),
  SALLYPORT_ADMIN_PASSWORD: z
    .string()
    .min(8, 'must have at least 8 characters')
    .max(128, 'must have at most 128 characters')
    .optional(),
  SALLYPORT_SECRET_KEY: secretKeys.optional(),
  SALLYPORT_LICENSE_KEY: z
    .string()
    .max(1024)
    .refine(isPublicKey, 'must be an Ed25519 public key: 32 bytes in base64')
    .optional(),
  DATABASE_URL: databaseUrl.optional(),
  SALLYPORT_ROLES: roleList.prefault(roles.join(',')),
  SALLYPORT_LOG: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be one of trace, debug, info, warn, error, fatal, silent',
    )
    .default('info'),
})

/**
 * Reads the configuration from environment variables; empty ones count as not set.
 * @throws ConfigError naming the variable and what it must look like, never its value.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = environment.safeParse(present)
  if (!parsed.success) {
    const sentences = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
    throw new ConfigError(sentences.join('; '))
  }
  const values = parsed.data
  return {
    dataDir: resolve(values.SALLYPORT_DATA),
    storageDir: resolve(values.SALLYPORT_STORAGE ?? join(values.SALLYPORT_DATA, 'storage')),
    http: values.SALLYPORT_HTTP,
    ssh: values.SALLYPORT_SSH,
    adminPassword: values.SALLYPORT_ADMIN_PASSWORD,
    secretKeys: values.SALLYPORT_SECRET_KEY ?? [],
    licenseKey: values.SALLYPORT_LICENSE_KEY,
    databaseUrl: values.DATABASE_URL,
    roles: values.SALLYPORT_ROLES,
    logLevel: values.SALLYPORT_LOG,
  }
}
