/** The settings of the directory (settings.md, category ldap). Whoever changes them decides who signs in as people of the directory. */
import { defaultOrgId, LdapSettings, systemOrgId } from '@sallyport/contract'
import { forbidden, invalid } from '../../kernel/errors.ts'
import type { ServedOne } from '../../kernel/resource/singleton.ts'
import type { Orgs } from '../orgs/index.ts'
import {
  changes,
  type CheckConfirmed,
  keepInPlace,
  type Prepare,
  servePage,
  type Settings,
} from '../settings/index.ts'
import { isFilter } from './filter.ts'
import { forgetFailed } from './jobs.ts'
import { asked, bindPassword, isAddress, isMap, mapIn } from './set.ts'

/** Who is who, and who is asked. */
const decisive = [...bindPassword.place, ...asked, 'AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS', 'AUTH_LDAP'] as const

const prepare =
  (orgs: Orgs, checkConfirmed: CheckConfirmed): Prepare =>
  async (given, before, ctx) => {
    const sent = {
      ...given,
      ...(given.AUTH_LDAP_USER_ATTR_MAP !== undefined && {
        AUTH_LDAP_USER_ATTR_MAP: mapIn(given.AUTH_LDAP_USER_ATTR_MAP) as typeof given.AUTH_LDAP_USER_ATTR_MAP,
      }),
    }
    const after = { ...before, ...sent }
    const { AUTH_LDAP_SERVER_URI: url, AUTH_LDAP_SEARCH_FILTER: filter, AUTH_LDAP_SYNC_ORG_ID: orgId } = sent
    if (url !== undefined && !isAddress(url)) throw invalid('AUTH_LDAP_SERVER_URI', 'ldap_server_wrong')
    if (filter !== undefined && !isFilter(filter))
      throw invalid('AUTH_LDAP_SEARCH_FILTER', 'ldap_filter_wrong')
    if (sent.AUTH_LDAP_USER_ATTR_MAP !== undefined && !isMap(sent.AUTH_LDAP_USER_ATTR_MAP))
      throw invalid('AUTH_LDAP_USER_ATTR_MAP', 'ldap_map_wrong')
    if (after.AUTH_LDAP_START_TLS === true && /^ldaps:/i.test(after.AUTH_LDAP_SERVER_URI ?? ''))
      throw invalid('AUTH_LDAP_START_TLS', 'ldap_start_tls_wrong')
    if (orgId !== undefined && orgId !== before.AUTH_LDAP_SYNC_ORG_ID) {
      if (orgId !== defaultOrgId && !ctx.hasLicence) throw forbidden('license_required')
      const org = await orgs.resolve(orgId)
      if (org.id !== orgId || org.is_root || org.id === systemOrgId)
        throw invalid('AUTH_LDAP_SYNC_ORG_ID', 'not_valid_org')
    }
    keepInPlace(bindPassword, { sent, before, again: 'ldap_password_again' })
    if (changes(decisive, sent, before)) await checkConfirmed(ctx)
    await forgetFailed(ctx)
    return sent
  }

export const ldapSettings = (settings: Settings, orgs: Orgs, checkConfirmed: CheckConfirmed): ServedOne =>
  servePage(settings, LdapSettings, prepare(orgs, checkConfirmed))
