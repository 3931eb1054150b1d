import { attributes, json, objects, text } from '@sallyport/contract/resource/field'
import { singleton } from '@sallyport/contract/resource/singleton'

/** A directory people are read from, on a schedule. */
export const Directory = singleton({
  app: 'settings',
  model: 'directory',
  path: 'settings/directory',
  access: { read: 'settings.change_auth', update: 'settings.change_auth' },
  fields: {
    address: text({ max: 99, pattern: 'address', required: true }),
    prefix: text({ max: 20, pattern: 'word' }),
    crontab: text({ max: 99, pattern: 'cron' }),
    names: attributes({ required: true }),
    options: json(),
    servers: objects({ host: text({ max: 99 }) }, { required: true }),
  },
})
