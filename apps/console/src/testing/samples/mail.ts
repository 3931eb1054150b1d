import { integer, objects, secret, text } from '@sallyport/contract/resource/field'
import { singleton } from '@sallyport/contract/resource/singleton'

/** A resource of one row, as a page of settings will be. */
export const Mail = singleton({
  app: 'settings',
  model: 'mail',
  path: 'settings/mail',
  access: { read: 'settings.change_email', update: 'settings.change_email' },
  fields: {
    host: text({ max: 99, required: true }),
    key: secret(),
    routes: objects({
      domain: text({ max: 99, required: true }),
      port: integer({ min: 1, max: 65_535 }),
    }),
  },
})
