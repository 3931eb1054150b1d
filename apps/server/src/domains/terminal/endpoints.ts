/** How a person gets to a gateway: ways to connect, and the addresses for native clients. */
import {
  type ConnectMethod,
  defaultOrgId,
  Endpoints,
  formatDatetime,
  type Language,
  serverTexts,
  translate,
} from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { refusedAs } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { organizations } from '../orgs/index.ts'
import type { TerminalServices } from './services.ts'

const text = (language: Language, key: 'web_cli' | 'ssh_client' | 'putty_client') =>
  translate(serverTexts, language, key)

/** Ways to connect by protocol; a person on Windows is offered PuTTY's command line. */
export function connectMethods(
  { language, settings }: Pick<Context, 'language' | 'settings'>,
  userAgent: string,
): Record<string, ConnectMethod[]> {
  const web: ConnectMethod = {
    component: 'koko',
    type: 'web',
    endpoint_protocol: 'http',
    value: 'web_cli',
    label: text(language, 'web_cli'),
  }
  const isWindows = /windows/i.test(userAgent)
  const native: ConnectMethod = {
    component: 'koko',
    type: 'native',
    endpoint_protocol: 'ssh',
    value: isWindows ? 'putty' : 'ssh',
    label: text(language, isWindows ? 'putty_client' : 'ssh_client'),
  }
  return { ssh: settings.TERMINAL_KOKO_SSH_ENABLED ? [web, native] : [web] }
}

export const defaultEndpointId = '00000000-0000-0000-0000-000000000001'

/** The Default endpoint: the host of the request, and where native clients find the gateway on it. */
export function defaultEndpoint(ctx: Pick<Context, 'origin'>, config: TerminalServices['config']) {
  return {
    id: defaultEndpointId,
    name: 'Default',
    host: new URL(ctx.origin).hostname.replace(/^\[|\]$/g, ''),
    https_port: 0,
    http_port: 0,
    ssh_port: config.ssh.port,
    rdp_port: 0,
    mysql_port: 0,
    mariadb_port: 0,
    postgresql_port: 0,
    redis_port: 0,
    oracle_port_range: '30000-30030',
    oracle_port: 0,
    comment: '',
  }
}

export const endpoints = ({ config }: Pick<TerminalServices, 'config'>): Provided =>
  provide(Endpoints, {
    smart: async (ctx, { query }) => {
      if (!query.protocol) throw refusedAs('error', 404, 'protocol_missing')
      // It is no row: it is there since the first organization is.
      const [since] = await ctx.db
        .select({ date: organizations.date_created })
        .from(organizations)
        .where(eq(organizations.id, defaultOrgId))
      const date = formatDatetime(since?.date ?? new Date(0), ctx.zone)
      return {
        ...defaultEndpoint(ctx, config),
        created_by: 'System',
        date_created: date,
        date_updated: date,
      }
    },
  })
