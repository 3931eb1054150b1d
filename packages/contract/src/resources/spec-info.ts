import { autofillModes } from '../assets/types.ts'
import { boolean, choice, json, text } from '../resource/field.ts'

/** What a database, and a website, is besides an asset, as far as everybody is told who sees it. */
export const databaseInfoFields = {
  /** Needed where one logs in to a database of the server: MongoDB and PostgreSQL. */
  db_name: text({ max: 1024, default: '' }),
  use_ssl: boolean({ default: false }),
  allow_invalid_cert: boolean({ default: false }),
} as const
export const webInfoFields = {
  autofill: choice(autofillModes, { default: 'basic' }),
  username_selector: text({ max: 128, default: 'name=username' }),
  password_selector: text({ max: 128, default: 'name=password' }),
  /** The compatible system says `longin_button`: a slip that fits no page. */
  submit_selector: text({ max: 128, default: 'id=login_button' }),
  /** The steps of a login, in order. */
  script: json({ default: [] }),
} as const
