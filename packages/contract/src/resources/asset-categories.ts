/** The lists of network devices, databases, websites and clouds (assets.md 7); those of hosts are in assets.ts. */
import { autofillModes } from '../assets/types.ts'
import { boolean, choice, json, secret, text, value } from '../resource/field.ts'
import { resource, type RowOf } from '../resource/resource.ts'
import { assetCalls, assetFields, ofCategory } from './assets.ts'

const shown = { info: value({ show: 'detail' }), spec_info: value({ show: 'detail' }) } as const
const longestCertificate = 65_536

export const Device = resource({
  ...ofCategory,
  model: 'device',
  path: 'assets/devices',
  fields: { ...assetFields, ...shown },
  calls: assetCalls,
})
export type Device = RowOf<typeof Device>

export const Database = resource({
  ...ofCategory,
  model: 'database',
  path: 'assets/databases',
  fields: {
    ...assetFields,
    /** Needed where one logs in to a database of the server: MongoDB and PostgreSQL. */
    db_name: text({ max: 1024, default: '' }),
    use_ssl: boolean({ default: false }),
    ca_cert: secret({ max: longestCertificate, nullable: true }),
    client_cert: secret({ max: longestCertificate, nullable: true }),
    client_key: secret({ max: longestCertificate, nullable: true }),
    allow_invalid_cert: boolean({ default: false }),
    ...shown,
  },
  calls: assetCalls,
})
export type Database = RowOf<typeof Database>

export const Web = resource({
  ...ofCategory,
  model: 'web',
  path: 'assets/webs',
  fields: {
    ...assetFields,
    autofill: choice(autofillModes, { default: 'basic' }),
    username_selector: text({ max: 128, default: 'name=username' }),
    password_selector: text({ max: 128, default: 'name=password' }),
    submit_selector: text({ max: 128, default: 'id=login_button' }),
    /** The steps of a login, in order. */
    script: json({ default: [] }),
    ...shown,
  },
  calls: assetCalls,
})
export type Web = RowOf<typeof Web>

export const Cloud = resource({
  ...ofCategory,
  model: 'cloud',
  path: 'assets/clouds',
  fields: { ...assetFields, ...shown },
  calls: assetCalls,
})
export type Cloud = RowOf<typeof Cloud>
