/** What administrators change, by category (settings.md): a form each, and one place where it is kept. */
import {
  BasicSettings,
  EmailContentSettings,
  EmailSettings,
  type SettingName,
  type SettingValues,
} from '@sallyport/contract'
import { invalid } from '../../kernel/errors.ts'
import { serveOne, type ServedOne } from '../../kernel/resource/singleton.ts'
import type { Settings, StoredSettings } from './service.ts'

type Sent = Partial<StoredSettings>

export const pages = (settings: Settings): readonly ServedOne[] => [
  served(settings, BasicSettings, (sent) => ({
    ...sent,
    ...(sent.SITE_URL !== undefined && { SITE_URL: sent.SITE_URL.replace(/\/+$/, '') }),
  })),
  served(settings, EmailSettings, checkMailServer),
  served(settings, EmailContentSettings),
]

/** @param prepare rules of what was sent; an empty secret was left out already */
function served(
  settings: Settings,
  page: typeof BasicSettings | typeof EmailSettings | typeof EmailContentSettings,
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
