/** The lists of network devices, databases, websites and clouds; those of hosts are in assets.ts. */
import { secret, value } from '../resource/field.ts'
import { resource, type RowOf } from '../resource/resource.ts'
import { assetCalls, assetFields, ofCategory } from './assets.ts'
import { databaseInfoFields, webInfoFields } from './spec-info.ts'

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
    db_name: databaseInfoFields.db_name,
    use_ssl: databaseInfoFields.use_ssl,
    ca_cert: secret({ max: longestCertificate, nullable: true }),
    client_cert: secret({ max: longestCertificate, nullable: true }),
    client_key: secret({ max: longestCertificate, nullable: true }),
    allow_invalid_cert: databaseInfoFields.allow_invalid_cert,
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
    ...webInfoFields,
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
