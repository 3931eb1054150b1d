import { integer, objects, secret, text } from '@sallyport/contract/resource/field'
import { resource } from '@sallyport/contract/resource/resource'

/** A resource of one row, as a page of settings will be. */
export const Mail = resource({
  app: 'settings',
  model: 'mail',
  path: 'settings/mail',
  scope: 'system',
  order: [],
  actions: ['retrieve', 'update'],
  fields: {
    host: text({ max: 99, required: true }),
    key: secret(),
    routes: objects({
      domain: text({ max: 99, required: true }),
      port: integer({ min: 1, max: 65_535 }),
    }),
  },
})
