/** Platforms: what kind of machine an asset is, and what can be done with it. */
import { type Automation, automations } from '../assets/constraints.ts'
import {
  assetCategories,
  assetTypes,
  autofillModes,
  charsets,
  rdpSecurities,
  suMethods,
} from '../assets/types.ts'
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
    old_ssh_version: boolean(),
  },
  { nullable: true },
)

const isAutomated = boolean()
const method = text({ max: 32, nullable: true })
type AutomationPairs = Record<`${Automation}_enabled`, typeof isAutomated> &
  Record<`${Automation}_method`, typeof method>
const automationPairs = Object.fromEntries(
  automations.flatMap((name) => [
    [`${name}_enabled`, isAutomated],
    [`${name}_method`, method],
  ]),
) as AutomationPairs

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
    }),
    category: choice(assetCategories, { required: true, filter: true }),
    type: choice(assetTypes, { required: true, filter: true }),
    // Of kinds that have none to choose, nothing is sent.
    charset: choice(charsets, { default: 'utf-8' }),
    protocols: objects(
      {
        id: integer(),
        name: text({ max: 32, required: true }),
        port: integer({ min: 1, max: 65_535, required: true }),
        primary: boolean({ readOnly: true }),
        default: boolean(),
        required: boolean(),
        secret_types: list({ readOnly: true }),
        setting: protocolSetting,
      },
      { notation: ['name', 'port'] },
    ),
    su_method: choice(suMethods, { nullable: true, default: 'sudo' }),
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
