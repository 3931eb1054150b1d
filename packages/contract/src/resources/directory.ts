/** What administrators do with the directory (LDAP) besides setting it up: trying it, and bringing its people in. */
import { answer, onList, service } from '../resource/calls.ts'
import { boolean, list, secret, text } from '../resource/field.ts'
import { LdapSettings } from './setting-pages.ts'

const access = 'settings.change_auth'
const { fields } = LdapSettings
/** Of what was read last, unless it says that the directory is to be asked now. */
const cached = { cache_police: text() }
/** A person of the directory, known by the username. */
const directoryPerson = {
  id: text(),
  username: text(),
  name: text(),
  email: text(),
  groups: list(),
  existing: boolean({ readOnly: true }),
}

export const Directory = service({
  app: 'settings',
  model: 'directory',
  path: 'settings/ldap',
  calls: {
    /** Tries what is sent before it is saved. The stored password goes to the stored server only. */
    testConfig: onList({
      method: 'POST',
      path: 'testing/config',
      access,
      body: {
        AUTH_LDAP_SERVER_URI: fields.AUTH_LDAP_SERVER_URI,
        AUTH_LDAP_BIND_DN: fields.AUTH_LDAP_BIND_DN,
        AUTH_LDAP_BIND_PASSWORD: secret({ max: 1024, nullable: true }),
        AUTH_LDAP_SEARCH_OU: text({ max: 1024, required: true, blank: true }),
        AUTH_LDAP_SEARCH_FILTER: fields.AUTH_LDAP_SEARCH_FILTER,
        AUTH_LDAP_USER_ATTR_MAP: fields.AUTH_LDAP_USER_ATTR_MAP,
        AUTH_LDAP_START_TLS: boolean(),
        AUTH_LDAP: boolean(),
      },
      refusesInText: true,
      answer: answer.json<string>(),
      reads: true,
    }),
    testLogin: onList({
      method: 'POST',
      path: 'testing/login',
      access,
      body: { username: text({ max: 128, required: true }), password: secret({ max: 1024, required: true }) },
      refusesInText: true,
      answer: answer.json<string>(),
      reads: true,
    }),
    /** Begins to read the directory where that was not done yet: 409 until it is. */
    users: onList({
      method: 'GET',
      path: 'users',
      access,
      query: { ...cached, search: text(), order: text() },
      answer: answer.list(directoryPerson),
    }),
    import: onList({
      method: 'POST',
      path: 'users/import',
      access,
      query: cached,
      /** `*`: everybody. */
      body: {
        username_list: list({ max: 128, maxItems: 20_000, required: true, verbatim: true }),
        org_id: text({ max: 36, nullable: true }),
      },
      refusesInText: true,
      answer: answer.object({ msg: text() }),
      records: 'changes',
    }),
    /** Forgets what was read. */
    refresh: onList({
      method: 'GET',
      path: 'cache/refresh',
      access,
      answer: answer.object({ msg: text() }),
      records: { unrecorded: 'what is forgotten is read again' },
    }),
  },
})
export type DirectoryPerson = {
  id: string
  username: string
  name: string
  email: string
  groups: string[]
  existing: boolean
}
