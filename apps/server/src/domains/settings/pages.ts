/** What administrators change, by category (settings.md): a form each, and one place where it is kept. */
import { randomUUID } from 'node:crypto'
import {
  type AlibabaSettings,
  BasicSettings,
  CleanSettings,
  type Cmpp2Settings,
  defaultSettings,
  EmailContentSettings,
  EmailSettings,
  type HuaweiSettings,
  type LdapSettings,
  SecuritySettings,
  type SettingName,
  type SettingValues,
  type SmsSettings,
  type TencentSettings,
} from '@sallyport/contract'
import { isAddresses } from '../../kernel/addresses.ts'
import type { Context } from '../../kernel/context.ts'
import { forbidden, invalid } from '../../kernel/errors.ts'
import { serveOne, type ServedOne } from '../../kernel/resource/singleton.ts'
import type { Settings, StoredSettings } from './service.ts'
import { changes, keepInPlace, type StoredSecret } from './stored-secret.ts'

export type Sent = Partial<StoredSettings>
/** Rules of what was sent; an empty secret was left out already. */
export type Prepare = (sent: Sent, before: Sent, ctx: Context) => Sent | Promise<Sent>
/** Says whether the caller has just confirmed who they are (kernel.md 13). @throws ApiError 400 with the code `mfa` when not */
export type CheckConfirmed = (ctx: Context) => Promise<void>

export const pages = (settings: Settings, checkConfirmed: CheckConfirmed): readonly ServedOne[] => [
  servePage(settings, BasicSettings, prepareBasic(checkConfirmed)),
  servePage(settings, EmailSettings, prepareMailServer(checkConfirmed)),
  servePage(settings, EmailContentSettings),
  servePage(settings, SecuritySettings, checkSecurity),
  servePage(settings, CleanSettings),
]

/** A page of settings; another domain may have rules for its own. */
export function servePage(
  settings: Settings,
  page:
    | typeof BasicSettings
    | typeof EmailSettings
    | typeof EmailContentSettings
    | typeof LdapSettings
    | typeof SecuritySettings
    | typeof CleanSettings
    | typeof SmsSettings
    | typeof AlibabaSettings
    | typeof TencentSettings
    | typeof HuaweiSettings
    | typeof Cmpp2Settings,
  prepare: Prepare = (sent) => sent,
): ServedOne {
  const names = Object.keys(page.fields) as SettingName[]
  return serveOne(page as typeof EmailSettings, {
    read: async (ctx, options) => {
      const stored = await settings.stored(ctx.db, options)
      return Object.fromEntries(names.map((name) => [name, stored[name]])) as SettingValues
    },
    store: async (ctx, { input, before }) => {
      const sent = Object.entries(input).filter(
        ([name, value]) =>
          value !== undefined && !(page.fields[name as never]?.['kind']?.['kind'] === 'secret' && !value),
      )
      // Null is none: what the setting is when nobody set it.
      const given = sent.map(([name, value]) => [name, value ?? defaultSettings[name as SettingName]])
      await settings.store(ctx.db, await prepare(Object.fromEntries(given) as Sent, before, ctx))
    },
  })
}

/**
 * Whoever says where links of mails lead, or where people go who forgot their password or look for help, may get the passwords of others:
 * that is no matter of looks.
 */
const leadsElsewhere = (sent: Sent, before: Sent): boolean =>
  (['SITE_URL', 'FORGOT_PASSWORD_URL', 'USER_GUIDE_URL'] as const).some(
    (name) => sent[name] !== undefined && sent[name] !== (before[name] ?? ''),
  ) ||
  (sent.ANNOUNCEMENT?.LINK !== undefined && sent.ANNOUNCEMENT.LINK !== (before.ANNOUNCEMENT?.LINK ?? ''))

const prepareBasic =
  (checkConfirmed: CheckConfirmed): Prepare =>
  async (given, before, ctx) => {
    const { ANNOUNCEMENT: said } = given
    const hasNoLink = said !== undefined && (said.LINK as string | null) === null
    const sent = hasNoLink ? { ...given, ANNOUNCEMENT: { ...said, LINK: '' } } : given
    const site = sent.SITE_URL?.replace(/\/+$/, '')
    if (leadsElsewhere({ ...sent, ...(site !== undefined && { SITE_URL: site }) }, before)) {
      if (!ctx.can('settings.change_security')) throw forbidden('site_url_denied')
      await checkConfirmed(ctx)
    }
    return {
      ...sent,
      ...(site !== undefined && { SITE_URL: site }),
      // Who put the one before away sees this one.
      ...(sent.ANNOUNCEMENT !== undefined && { ANNOUNCEMENT: { ...sent.ANNOUNCEMENT, ID: randomUUID() } }),
    }
  }

const passwordOfMail = {
  secret: 'EMAIL_HOST_PASSWORD',
  place: ['EMAIL_HOST', 'EMAIL_PORT', 'EMAIL_HOST_USER', 'EMAIL_USE_SSL', 'EMAIL_USE_TLS'],
} as const satisfies StoredSecret

const prepareMailServer =
  (checkConfirmed: CheckConfirmed): Prepare =>
  async (sent, before, ctx) => {
    const { EMAIL_HOST: host, EMAIL_PORT: port } = sent
    if (typeof host === 'string' && !/^[\w.:-]+$/.test(host)) throw invalid('EMAIL_HOST', 'not_host_name')
    if (typeof port === 'string' && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
      throw invalid('EMAIL_PORT', 'not_port')
    keepInPlace(passwordOfMail, { sent, before, again: 'mail_password_again' })
    if (changes(passwordOfMail.place, sent, before)) await checkConfirmed(ctx)
    return sent
  }

/** Of these one is asked for beside the password, at most: what is switched on last. */
const besideThePassword = [
  'SECURITY_LOGIN_CHALLENGE_ENABLED',
  'SECURITY_MFA_IN_LOGIN_PAGE',
  'SECURITY_LOGIN_CAPTCHA_ENABLED',
] as const

function checkSecurity(sent: Sent): Sent {
  for (const name of ['SECURITY_LOGIN_IP_WHITE_LIST', 'SECURITY_LOGIN_IP_BLACK_LIST'] as const) {
    const item = sent[name]?.find((one) => !isAddresses(one))
    if (item !== undefined) throw invalid(name, 'not_addresses', { item })
  }
  const chosen = besideThePassword.find((name) => sent[name] === true)
  const others = besideThePassword.filter((name) => chosen !== undefined && name !== chosen)
  return {
    ...sent,
    ...Object.fromEntries(others.map((name) => [name, false])),
    // It would ask people for a code they need not have.
    ...(sent.SECURITY_MFA_AUTH !== undefined &&
      sent.SECURITY_MFA_AUTH !== 1 && { SECURITY_MFA_IN_LOGIN_PAGE: false }),
  }
}
