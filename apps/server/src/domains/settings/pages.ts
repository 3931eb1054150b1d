/** What administrators change, by category (settings.md): a form each, and one place where it is kept. */
import { randomUUID } from 'node:crypto'
import {
  BasicSettings,
  CleanSettings,
  EmailContentSettings,
  EmailSettings,
  SecuritySettings,
  type SettingName,
  type SettingValues,
} from '@sallyport/contract'
import { isAddresses } from '../../kernel/addresses.ts'
import { invalid } from '../../kernel/errors.ts'
import { serveOne, type ServedOne } from '../../kernel/resource/singleton.ts'
import type { Settings, StoredSettings } from './service.ts'

type Sent = Partial<StoredSettings>

export const pages = (settings: Settings): readonly ServedOne[] => [
  served(settings, BasicSettings, (sent) => ({
    ...sent,
    ...(sent.SITE_URL !== undefined && { SITE_URL: sent.SITE_URL.replace(/\/+$/, '') }),
    // Who put the one before away sees this one.
    ...(sent.ANNOUNCEMENT !== undefined && { ANNOUNCEMENT: { ...sent.ANNOUNCEMENT, ID: randomUUID() } }),
  })),
  served(settings, EmailSettings, checkMailServer),
  served(settings, EmailContentSettings),
  served(settings, SecuritySettings, checkSecurity),
  served(settings, CleanSettings),
]

/** @param prepare rules of what was sent; an empty secret was left out already */
function served(
  settings: Settings,
  page:
    | typeof BasicSettings
    | typeof EmailSettings
    | typeof EmailContentSettings
    | typeof SecuritySettings
    | typeof CleanSettings,
  prepare: (sent: Sent) => Sent = (sent) => sent,
): ServedOne {
  const names = Object.keys(page.fields) as SettingName[]
  return serveOne(page as typeof EmailSettings, {
    read: async (ctx, options) => {
      const stored = await settings.stored(ctx.db, options)
      return Object.fromEntries(names.map((name) => [name, stored[name]])) as SettingValues
    },
    store: async (ctx, { input }) => {
      const sent = Object.entries(input).filter(
        ([name, value]) =>
          value !== undefined && !(page.fields[name as never]?.['kind']?.['kind'] === 'secret' && !value),
      )
      await settings.store(ctx.db, prepare(Object.fromEntries(sent) as Sent))
    },
  })
}

function checkMailServer(sent: Sent): Sent {
  const { EMAIL_HOST: host, EMAIL_PORT: port } = sent
  if (typeof host === 'string' && !/^[\w.:-]+$/.test(host)) throw invalid('EMAIL_HOST', 'not_host_name')
  if (typeof port === 'string' && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) < 65_536))
    throw invalid('EMAIL_PORT', 'not_port')
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
