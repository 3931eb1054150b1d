import { readFile } from 'node:fs/promises'
import { BlockList, isIP } from 'node:net'
import { join } from 'node:path'
import { z } from 'zod'
import type { Startups } from '@sallyport/ssh'

export interface ListenAddress {
  host: string
  port: number
}

export interface Config {
  /** The gateway's own folder inside SALLYPORT_DATA: access key, host keys, recordings not uploaded yet, queues. */
  folder: string
  ssh: ListenAddress
  /** Load balancers in front of SSH, whose connections begin with a PROXY header. */
  sshProxies: BlockList
  /** For connections that have not logged in. */
  sshStartups: Startups
  sshStartupsOfAddress: Startups
  http: ListenAddress
  /** The server's origin, without a slash at the end. */
  api: URL
  bootstrapTokenFile: string
  bootstrapToken?: string
  logLevel: string
  /** Content kept of each direction of an exec channel. */
  execRecordBytes: number
}

/** Something the person who starts the gateway has to put right; the message says what, in one line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

const listenSchema = z
  .string()
  .regex(/^(\[[0-9a-fA-F:.]+\]|[^:\s]+):\d{1,5}$/)
  .transform((text) => {
    const colon = text.lastIndexOf(':')
    return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) }
  })
  .refine((address) => address.port < 65536)

const startupsSchema = z
  .string()
  .regex(/^\d{1,5}:\d{1,3}:\d{1,5}$/)
  .transform((text) => {
    const [start = 0, rate = 0, full = 0] = text.split(':').map(Number)
    return { start, rate, full }
  })
  .refine(({ start, rate, full }) => start >= 1 && start <= full && rate <= 100)

/** Addresses and networks (`10.0.0.0/8`), separated by commas. */
const networksSchema = z
  .string()
  .max(4096)
  .transform((text, context) => {
    const networks = new BlockList()
    for (const network of text.split(',').map((part) => part.trim())) {
      if (network === '') continue
      const [address = '', prefix, ...rest] = network.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      const longest = family === 'ipv6' ? 128 : 32
      const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= longest)
      if (isIP(address) === 0 || !isPrefix || rest.length > 0) {
        context.addIssue({ code: 'custom', message: 'no network' })
        return z.NEVER
      }
      networks.addSubnet(address, prefix === undefined ? longest : Number(prefix), family)
    }
    return networks
  })

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']

/** The gateway's configuration. Throws ConfigError with a sentence for the person who starts it. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const read = <Schema extends z.ZodType>(name: string, schema: Schema, hint: string): z.output<Schema> => {
    const parsed = schema.safeParse(environment[name] === '' ? undefined : environment[name])
    if (!parsed.success) throw new ConfigError(`${name} must be ${hint}`)
    return parsed.data
  }
  const data = read('SALLYPORT_DATA', z.string().default('./data'), 'a folder')
  return {
    folder: join(data, 'gateway'),
    ssh: read(
      'SALLYPORT_SSH',
      listenSchema.prefault('0.0.0.0:2222'),
      'address and port, such as 0.0.0.0:2222',
    ),
    sshProxies: read(
      'SALLYPORT_SSH_PROXIES',
      networksSchema.prefault(''),
      'addresses or networks separated by commas, such as 10.0.0.5,10.1.0.0/16',
    ),
    sshStartups: read(
      'SALLYPORT_SSH_STARTUPS',
      startupsSchema.prefault('100:30:500'),
      'start:rate:full, such as 100:30:500',
    ),
    sshStartupsOfAddress: read(
      'SALLYPORT_SSH_STARTUPS_OF_ADDRESS',
      startupsSchema.prefault('20:30:100'),
      'start:rate:full, such as 20:30:100',
    ),
    http: read(
      'SALLYPORT_GATEWAY_HTTP',
      listenSchema.prefault('127.0.0.1:0'),
      'address and port, such as 127.0.0.1:5000',
    ),
    api: new URL(
      read(
        'SALLYPORT_API',
        z.url({ protocol: /^https?$/ }).default('http://127.0.0.1:8080'),
        'the address of the server, such as http://127.0.0.1:8080',
      ),
    ),
    bootstrapTokenFile: join(data, 'keys', 'bootstrap_token'),
    bootstrapToken: read(
      'SALLYPORT_BOOTSTRAP_TOKEN',
      z.string().max(4096).optional(),
      'at most 4096 characters',
    ),
    logLevel: read('SALLYPORT_LOG', z.enum(logLevels).default('info'), `one of ${logLevels.join(', ')}`),
    execRecordBytes: read(
      'SALLYPORT_EXEC_RECORD_BYTES',
      z.coerce
        .number()
        .int()
        .min(0)
        .max(2 ** 40)
        .default(1024 * 1024),
      'a number of bytes',
    ),
  }
}

/** The registration secret, from the environment or from the file the server keeps beside its keys. */
export async function readBootstrapToken(config: Config): Promise<string | undefined> {
  if (config.bootstrapToken) return config.bootstrapToken
  try {
    return (await readFile(config.bootstrapTokenFile, 'utf8')).trim() || undefined
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
