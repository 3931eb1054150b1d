import { createHash } from 'node:crypto'
import type { SettingValues } from '@sallyport/contract'
import { addressOf } from './connection.ts'
import type { StoredSecret } from '../settings/index.ts'
import type { DirectorySet } from './client.ts'

export type LdapValues = Pick<
  SettingValues,
  | 'AUTH_LDAP_SERVER_URI'
  | 'AUTH_LDAP_START_TLS'
  | 'AUTH_LDAP_BIND_DN'
  | 'AUTH_LDAP_SEARCH_OU'
  | 'AUTH_LDAP_SEARCH_FILTER'
  | 'AUTH_LDAP_USER_ATTR_MAP'
  | 'AUTH_LDAP_CONNECT_TIMEOUT'
  | 'AUTH_LDAP_SEARCH_PAGED_SIZE'
>

const mapped = ['username', 'name', 'email'] as const
const mostNames = 20
const mostChars = 128

/** Whether it says of username, name and email which attribute they are, and of nothing what is no text. */
export function isMap(map: unknown): map is Record<string, string> {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return false
  const values = Object.values(map) as unknown[]
  const isText = (value: unknown) =>
    typeof value === 'string' && value.length <= mostChars && /^[\w.;-]+$/.test(value)
  return (
    values.length <= mostNames && values.every(isText) && mapped.every((name) => Object.hasOwn(map, name))
  )
}

/** Also as the text of one, as a form may send it. */
export function mapIn(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  try {
    return JSON.parse(sent)
  } catch {
    return sent
  }
}

export const directoryOf = (values: LdapValues, password: string | undefined): DirectorySet => ({
  url: values.AUTH_LDAP_SERVER_URI,
  startTls: values.AUTH_LDAP_START_TLS,
  connectTimeoutMs: values.AUTH_LDAP_CONNECT_TIMEOUT * 1000,
  bindDn: values.AUTH_LDAP_BIND_DN,
  bindPassword: password,
  bases: values.AUTH_LDAP_SEARCH_OU.split('|').map((base) => base.trim()),
  filter: values.AUTH_LDAP_SEARCH_FILTER,
  names: values.AUTH_LDAP_USER_ATTR_MAP,
  pageSize: values.AUTH_LDAP_SEARCH_PAGED_SIZE,
})

export const bindPassword = {
  secret: 'AUTH_LDAP_BIND_PASSWORD',
  place: ['AUTH_LDAP_SERVER_URI', 'AUTH_LDAP_START_TLS', 'AUTH_LDAP_BIND_DN'],
} as const satisfies StoredSecret

/** Who is found, and what is told of them: with these somebody who binds as others may reads what they may. */
export const asked = ['AUTH_LDAP_SEARCH_OU', 'AUTH_LDAP_SEARCH_FILTER', 'AUTH_LDAP_USER_ATTR_MAP'] as const

export const isAddress = (url: string) => addressOf(url) !== undefined

/** Known by what is asked for, and where: what was read of another directory is not this one's. */
export const nameOf = (at: DirectorySet): string =>
  createHash('sha256')
    .update(JSON.stringify([at.url, at.startTls, at.bindDn, at.bases, at.filter, at.names]))
    .digest('hex')
