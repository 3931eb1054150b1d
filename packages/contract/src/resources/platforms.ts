/** Platforms: what kind of machine an asset is, and what can be done with it (assets.md 2 to 6). */
import { automations, type Constraints } from '../assets/constraints.ts'
import {
  assetCategories,
  type AssetType,
  assetTypes,
  autofillModes,
  type Category,
  charsets,
  rdpSecurities,
  suMethods,
} from '../assets/types.ts'
import { answer, onList, service } from '../resource/calls.ts'
import {
  boolean,
  choice,
  integer,
  json,
  list,
  object,
  objects,
  plainChoice,
  text,
  value,
} from '../resource/field.ts'
import { commented, created, resource, type RowOf, updated } from '../resource/resource.ts'

const protocolSetting = object(
  {
    console: boolean(),
    security: plainChoice(rdpSecurities),
    sftp_enabled: boolean(),
    sftp_home: text({ max: 1024 }),
    autofill: plainChoice(autofillModes),
    username_selector: text({ max: 1024 }),
    password_selector: text({ max: 1024 }),
    submit_selector: text({ max: 1024 }),
    script: json(),
    auth_username: boolean(),
  },
  { nullable: true },
)

const automationPairs = Object.fromEntries(
  automations.flatMap((name) => [
    [`${name}_enabled`, boolean()],
    [`${name}_method`, text({ max: 32, nullable: true })],
  ]),
)

export const Platform = resource({
  app: 'assets',
  model: 'platform',
  path: 'assets/platforms',
  scope: 'system',
  order: ['id'],
  integerId: true,
  bulk: false,
  alsoBy: 'name',
  fields: {
    id: integer({ readOnly: true }),
    name: text({
      max: 50,
      required: true,
      pattern: 'slug',
      filter: true,
      search: true,
      order: true,
    }),
    category: choice(assetCategories, { required: true, filter: true, order: true }),
    type: choice(assetTypes, { required: true, filter: true, order: true }),
    charset: choice(charsets, { required: true }),
    protocols: objects({
      id: integer(),
      name: text({ max: 32, required: true }),
      port: integer({ min: 1, max: 65_535, required: true }),
      primary: boolean({ readOnly: true }),
      default: boolean(),
      required: boolean(),
      secret_types: list({ readOnly: true }),
      setting: protocolSetting,
    }),
    su_method: choice(suMethods, { nullable: true }),
    automation: object({
      id: integer(),
      ansible_enabled: boolean(),
      ansible_config: json(),
      ...automationPairs,
    }),
    internal: boolean({ readOnly: true }),
    domain_enabled: boolean({ default: true }),
    su_enabled: boolean({ default: false }),
    ...commented,
    ...created,
    ...updated,
  },
})
export type Platform = RowOf<typeof Platform>

/** A type of asset, with what its platforms can have and do. */
export interface AssetTypeRow {
  label: string
  value: AssetType
  category: Category
  constraints: Constraints | undefined
}

const get = <const P extends string>(path: P) => ({ method: 'GET', path, access: 'public' }) as const

/** What kinds of asset there are and what each can do, told to anybody. */
export const AssetCategories = service({
  app: 'assets',
  model: 'category',
  path: 'assets/categories',
  calls: {
    list: onList({
      ...get(''),
      answer: answer.list({ label: text(), value: text(), types: value<AssetTypeRow[]>() }),
    }),
    types: onList({ ...get('types'), answer: answer.json<AssetTypeRow[]>() }),
    /** Of one type; empty for one there is not. */
    constraints: onList({
      ...get('constraints'),
      query: { category: text({ max: 32 }), type: text({ max: 32 }) },
      answer: answer.json<Partial<Constraints>>(),
    }),
  },
})
