/**
 * `npm run demo`: fills the running system with people, assets and grants, one of the assets a live SSH host. Everything is created
 * through the real calls with the real rules, as the administrator; a second run changes nothing but the live host's address and key.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { confirmTypes, defaultOrgId, gatewayPlatformId } from '@sallyport/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { compose } from './compose.ts'
import { createDomains } from './domains.ts'
import { ConfigError, readConfig } from './kernel/config.ts'
import type { Identity } from './kernel/context.ts'
import type { Database } from './kernel/database/index.ts'
import { openGround } from './kernel/ground.ts'
import { createLog } from './kernel/log.ts'

const environment = z.object({
  SALLYPORT_DEMO_HOST: z.string(),
  SALLYPORT_DEMO_PORT: z.coerce.number().int().min(1).max(65535),
  SALLYPORT_DEMO_USERNAME: z.string(),
  SALLYPORT_DEMO_PRIVATE_KEY_FILE: z.string(),
})

const people = [
  ['ann', 'Ann Berg', 'Operations'],
  ['bo', 'Bo Chen', 'Operations'],
  ['chiyo', '佐藤 千代', 'Operations'],
  ['dev', 'Dev Patel', 'Databases'],
  ['eva', 'Eva Lindqvist', 'Databases'],
  ['fei', '王 飞', 'Network'],
  ['gus', 'Gus Okafor', 'Network'],
] as const
const auditor = ['olga', 'Olga Meier'] as const
const orgAuditorRole = '00000000-0000-0000-0000-000000000006'

/** Places and what stands there; addresses are those reserved for examples (RFC 5737). */
const places = [
  ['Frankfurt', 'fra', '192.0.2'],
  ['Osaka', 'osa', '198.51.100'],
  ['São Paulo', 'gru', '203.0.113'],
] as const
const roles = [
  ['web', 12],
  ['app', 16],
  ['db', 6],
  ['cache', 4],
  ['edge', 3],
] as const
/** What is no machine, in the first of these places. */
const otherAssets = [
  ['devices', 'fra-switch-01', { address: '192.0.2.2', platform: 14 }],
  ['databases', 'fra-orders', { address: '192.0.2.201', platform: 17, db_name: 'orders' }],
  ['databases', 'fra-sessions', { address: '192.0.2.202', platform: 24, use_ssl: true }],
  ['clouds', 'fra-staging', { address: 'https://192.0.2.210', platform: 28 }],
  ['webs', 'fra-wiki', { address: 'http://192.0.2.220', platform: 26 }],
] as const

/** The one that lies in a network zone of its own. */
const behindGateway = 'São Paulo'

const rootAccount = () => ({
  name: 'root',
  username: 'root',
  secret_type: 'password',
  secret: randomBytes(12).toString('base64url'),
  privileged: true,
})

interface Row {
  id: string
  name: string
}

class Administrator {
  readonly #http: FastifyInstance
  constructor(http: FastifyInstance) {
    this.#http = http
  }
  async send<T>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<T> {
    const answer = await this.#http.inject({
      method,
      url: `/api/v1/${path}`,
      headers: { 'x-jms-org': defaultOrgId, 'accept-language': 'en' },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    if (answer.statusCode >= 300)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${answer.body.slice(0, 500)}`)
    return answer.json<T>()
  }
  /** The row of that name, made when there is none. */
  async ensure(
    path: string,
    name: string,
    fields: Record<string, unknown>,
  ): Promise<Row & { isNew: boolean }> {
    const [found] = await this.send<Row[]>('GET', `${path}?name=${encodeURIComponent(name)}`)
    if (found) return { ...found, isNew: false }
    return { ...(await this.send<Row>('POST', path, { name, ...fields })), isNew: true }
  }
}

async function fill(admin: Administrator, live: z.infer<typeof environment>): Promise<string | undefined> {
  const password = randomBytes(9).toString('base64url')
  const groups = new Map<string, string[]>()
  let isFirst = false
  const person = (username: string, name: string, more: Record<string, unknown> = {}) =>
    admin.ensure('users/users/', name, {
      username,
      email: `${username}@demo.example`,
      password_strategy: 'custom',
      password,
      is_first_login: false,
      ...more,
    })
  for (const [username, name, group] of people) {
    const made = await person(username, name)
    isFirst ||= made.isNew
    groups.set(group, [...(groups.get(group) ?? []), made.id])
  }
  await person(auditor[0], auditor[1], { org_roles: [orgAuditorRole] })
  const groupIds = new Map<string, string>()
  for (const [name, users] of groups)
    groupIds.set(name, (await admin.ensure('users/groups/', name, { users })).id)
  const operations = groupIds.get('Operations') ?? ''

  const nodeIds: string[] = []
  for (const [place, short, network] of places) {
    const [known] = await admin.send<Row[]>('GET', `assets/nodes/?value=${encodeURIComponent(place)}`)
    const node = known ?? (await admin.send<Row>('POST', 'assets/nodes/', { full_value: `/${place}` }))
    nodeIds.push(node.id)
    const domain = place === behindGateway ? (await admin.ensure('assets/domains/', place, {})).id : null
    // Before there are secrets behind it, for which it would have to be confirmed.
    if (domain !== null)
      await admin.ensure('assets/gateways/', `${short}-gateway-01`, {
        address: `${network}.1`,
        platform: gatewayPlatformId,
        nodes: [node.id],
        domain,
        comment: `The way into ${place}`,
        accounts: [rootAccount()],
      })
    let host = 10
    for (const [role, amount] of roles)
      for (let number = 1; number <= amount; number++)
        await admin.ensure('assets/hosts/', `${short}-${role}-${String(number).padStart(2, '0')}`, {
          address: `${network}.${host++}`,
          platform: 1,
          nodes: [node.id],
          domain,
          comment: `${role} server in ${place}`,
          accounts: [rootAccount()],
        })
  }
  for (const [list, name, more] of otherAssets)
    await admin.ensure(`assets/${list}/`, name, { ...more, nodes: nodeIds.slice(0, 1) })
  await admin.ensure('accounts/account-templates/', 'Deployment', {
    username: 'deploy',
    secret_type: 'password',
    secret: randomBytes(12).toString('base64url'),
    comment: 'Copied into the accounts that release software',
  })
  const liveHost = await admin.ensure('assets/hosts/', 'live-demo', {
    address: live.SALLYPORT_DEMO_HOST,
    platform: 1,
    protocols: [{ name: 'ssh', port: live.SALLYPORT_DEMO_PORT }],
    comment: 'This machine itself: connect and try it',
  })
  if (!liveHost.isNew)
    await admin.send('PATCH', `assets/hosts/${liveHost.id}/`, {
      address: live.SALLYPORT_DEMO_HOST,
      protocols: [{ name: 'ssh', port: live.SALLYPORT_DEMO_PORT }],
    })
  const secret = await readFile(live.SALLYPORT_DEMO_PRIVATE_KEY_FILE, 'utf8')
  const [account] = await admin.send<Row[]>('GET', `accounts/accounts/?asset=${liveHost.id}`)
  if (account)
    await admin.send('PATCH', `accounts/accounts/${account.id}/`, { secret_type: 'ssh_key', secret })
  else
    await admin.send('POST', 'accounts/accounts/', {
      name: live.SALLYPORT_DEMO_USERNAME,
      username: live.SALLYPORT_DEMO_USERNAME,
      asset: liveHost.id,
      secret_type: 'ssh_key',
      secret,
    })

  await admin.ensure('perms/asset-permissions/', 'Operations on everything', {
    user_groups: [operations],
    nodes: nodeIds,
    accounts: ['@ALL', '@INPUT'],
  })
  await admin.ensure('perms/asset-permissions/', 'The live host for everybody', {
    user_groups: [...groupIds.values()],
    assets: [liveHost.id],
    accounts: ['@ALL'],
  })
  return isFirst ? password : undefined
}

/**
 * A sign-in of the administrator that was just confirmed: the live host takes its account's secret along when its port changes. Nobody
 * knows a token for it, and what a run that was killed leaves ends by itself.
 */
async function signInOf({ pool }: Database, userId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into bearer_tokens (token_hash, user_id, remote_addr, confirm_level, date_confirmed, date_expired)
      values ($1, $2, '', $3, now(), now() + interval '5 minutes') returning id`,
    [randomBytes(32).toString('hex'), userId, confirmTypes.values.length],
  )
  return rows[0]?.id ?? ''
}

async function main(): Promise<void> {
  const live = environment.parse(process.env)
  const ground = await openGround(readConfig(process.env), createLog('warn'))
  try {
    const domains = await createDomains(ground)
    const found = await ground.database.pool.query<{ id: string; name: string }>(
      `select id, name from users where username = 'admin'`,
    )
    const row = found.rows[0]
    if (row === undefined) throw new ConfigError('Start the server once before the demo is filled.')
    const bearerId = await signInOf(ground.database, row.id)
    const identity: Identity = {
      ...row,
      username: 'admin',
      isComponent: false,
      isSuperAdmin: true,
      by: 'bearer',
      sessionId: undefined,
      bearerId,
    }
    const server = await compose(
      ground,
      // Only what is served: sweeps and subscriptions are the running server's.
      domains.list.map(({ start: _start, seed: _seed, ...domain }) => domain),
      { ...domains.gatekeeper, authenticate: () => Promise.resolve(identity) },
    )
    const password = await fill(new Administrator(server.http), live)
    await server.stop()
    await ground.database.pool.query('delete from bearer_tokens where id = $1', [bearerId])
    if (password !== undefined)
      process.stdout.write(
        `\nDemo people: ${people.map(([username]) => username).join(', ')} and the auditor ${auditor[0]}, all with the password ${password} (shown only this once).\n`,
      )
  } finally {
    await ground.close()
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`)
  process.exit(1)
})
