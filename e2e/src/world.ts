/** What an administrator sets up before somebody can work: a host, an account on it, a person, a grant. */
import { randomBytes } from 'node:crypto'
import { Api } from './api.ts'

export interface Login {
  username: string
  password?: string | undefined
  privateKey?: string | undefined
}
export interface Person {
  id: string
  username: string
  password: string
}
interface Row {
  id: string
}

const unique = () => randomBytes(3).toString('hex')

export async function addHost(
  admin: Api,
  host: { name?: string; address?: string; port: number },
): Promise<Row & { name: string }> {
  const name = host.name ?? `host-${unique()}`
  const made = await admin.post<Row>('/api/v1/assets/hosts/', {
    name,
    address: host.address ?? '127.0.0.1',
    platform: 1,
    protocols: [{ name: 'ssh', port: host.port }],
  })
  return { id: made.id, name }
}

export async function addAccount(admin: Api, assetId: string, login: Login): Promise<Row> {
  return await admin.post<Row>('/api/v1/accounts/accounts/', {
    name: login.username,
    username: login.username,
    asset: assetId,
    secret_type: login.privateKey ? 'ssh_key' : 'password',
    secret: login.privateKey ?? login.password,
  })
}

/** Somebody who has never been here: the first login asks to complete the profile. */
export async function addNewcomer(admin: Api, more: Record<string, unknown> = {}): Promise<Person> {
  const username = `person-${unique()}`
  const password = `Pass-${unique()}-word1`
  const made = await admin.post<Row>('/api/v1/users/users/', {
    name: `Person ${username.slice(-6)}`,
    username,
    email: `${username}@example.com`,
    password_strategy: 'custom',
    password,
    ...more,
  })
  return { id: made.id, username, password }
}

/** Somebody who has been here before. */
export async function addPerson(admin: Api, more: Record<string, unknown> = {}): Promise<Person> {
  const person = await addNewcomer(admin, more)
  const own = await Api.signIn(admin.origin, person.username, person.password)
  await own.patch('/api/v1/users/profile/', { is_first_login: false })
  return person
}

export async function grant(
  admin: Api,
  to: { users: string[]; assets?: string[]; nodes?: string[]; accounts?: string[] } & Record<string, unknown>,
): Promise<Row> {
  return await admin.post<Row>('/api/v1/perms/asset-permissions/', {
    name: `grant-${unique()}`,
    accounts: ['@ALL'],
    ...to,
  })
}
