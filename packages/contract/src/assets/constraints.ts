/** What assets of each type can have and do. */
import { type Protocol, protocols, specOf, type ProtocolSetting } from './protocols.ts'
import { type AssetType, type Category, isTypeOf, type SecretType } from './types.ts'

export const automations = [
  'ping',
  'gather_facts',
  'gather_accounts',
  'verify_account',
  'change_secret',
  'push_account',
] as const
export type Automation = (typeof automations)[number]
export interface Method {
  name: string
  id: string
}
type Methods = Partial<Record<Automation, readonly Method[]>>

export interface Constraints {
  charset_enabled: boolean
  charset?: string
  domain_enabled: boolean
  su_enabled: boolean
  su_methods?: readonly Method[]
  protocols: readonly {
    name: Protocol
    port: number
    secret_types: readonly SecretType[]
    setting?: ProtocolSetting
    required?: true
    primary?: true
  }[]
  automation: Readonly<Record<string, unknown>>
}

const method = (id: string, name: string): Method => ({ id, name })
const posix: Methods = {
  ping: [method('posix_ping', 'Posix ping')],
  gather_facts: [method('gather_facts_posix', 'Gather posix facts')],
  gather_accounts: [method('gather_accounts_posix', 'Gather posix account')],
  verify_account: [method('verify_account_posix', 'Verify posix account')],
  change_secret: [method('change_secret_posix', 'Change secret for posix')],
  push_account: [method('push_account_posix', 'Push account for posix')],
}
const windows: Methods = {
  ping: [method('win_ping', 'Windows ping')],
  gather_facts: [method('gather_facts_windows', 'Gather facts windows')],
  gather_accounts: [method('gather_accounts_windows', 'Gather account windows')],
  verify_account: [method('verify_account_windows', 'Verify account windows')],
  change_secret: [method('change_secret_local_windows', 'Change secret local account for Windows')],
  push_account: [method('push_account_local_windows', 'Push account local account for Windows')],
}
function databaseMethods(
  name: string,
  label: string,
  options: { ping?: string; gathers?: boolean; word?: string } = {},
): Methods {
  return {
    ping: [method(options.ping ?? `${name}_ping`, `Ping ${label}`)],
    gather_accounts:
      options.gathers === false
        ? []
        : [method(`gather_accounts_${name}`, `Gather account ${options.word ?? 'from'} ${label}`)],
    verify_account: [method(`verify_account_${name}`, `Verify account ${options.word ?? 'from'} ${label}`)],
    change_secret: [method(`change_secret_${name}`, `Change secret for ${label}`)],
    push_account: [method(`push_account_${name}`, `Push account for ${label}`)],
  }
}
const mysqlMethods = databaseMethods('mysql', 'MySQL')
const methodsOf: Partial<Record<AssetType, Methods>> = {
  linux: posix,
  unix: posix,
  windows,
  mysql: mysqlMethods,
  mariadb: mysqlMethods,
  postgresql: databaseMethods('postgresql', 'PostgreSQL', { ping: 'ping_postgresql', word: 'for' }),
  oracle: databaseMethods('oracle', 'Oracle'),
  sqlserver: databaseMethods('sqlserver', 'SQLServer', { gathers: false }),
  mongodb: databaseMethods('mongodb', 'MongoDB'),
}

const suMethodList = [
  { name: 'sudo su', id: 'sudo su' },
  { name: 'su -', id: 'su -' },
]

function protocolsOf(category: Category, type: AssetType): readonly Protocol[] {
  if (category === 'host') return type === 'windows' ? ['rdp', 'ssh', 'vnc'] : ['ssh', 'telnet', 'vnc', 'rdp']
  if (category === 'device') return ['ssh', 'telnet']
  if (category === 'database') return [type as Protocol]
  return type === 'k8s' ? ['k8s'] : ['http']
}

function ansibleConfig(category: Category, type: AssetType): Record<string, string> | undefined {
  if (category === 'host')
    return type === 'windows'
      ? { ansible_shell_type: 'cmd', ansible_connection: 'ssh' }
      : { ansible_connection: 'smart' }
  if (category === 'web') return undefined
  return category === 'cloud' ? {} : { ansible_connection: 'local' }
}

function automationOf(category: Category, type: AssetType): Record<string, unknown> {
  const methods = methodsOf[type]
  const config = ansibleConfig(category, type)
  const flags = automations.flatMap((name): [string, unknown][] => {
    if (name === 'ping' && category === 'cloud') return []
    const enabled = methods?.[name] !== undefined
    return [[`${name}_enabled`, enabled]]
  })
  const offered = automations.flatMap((name): [string, unknown][] => {
    const found = methods?.[name]
    return found === undefined ? [] : [[`${name}_methods`, found]]
  })
  return {
    ansible_enabled: methods !== undefined,
    ...(config === undefined ? {} : { ansible_config: config }),
    ...Object.fromEntries(flags),
    ...(methods === undefined ? {} : { ansible_methods: [], ansible_config_methods: [] }),
    ...Object.fromEntries(offered),
  }
}

function build(category: Category, type: AssetType): Constraints {
  const isHost = category === 'host'
  return {
    charset_enabled: isHost,
    ...(isHost ? { charset: 'utf-8' } : {}),
    domain_enabled: isHost || category === 'device' || category === 'database',
    su_enabled: type === 'linux' || type === 'unix',
    ...(isHost ? { su_methods: suMethodList } : {}),
    protocols: protocolsOf(category, type).map((name, index) => {
      const { port, secretTypes } = protocols[name]
      const { setting, required } = specOf(name) ?? {}
      return {
        name,
        port,
        secret_types: secretTypes,
        ...(setting === undefined ? {} : { setting }),
        ...(required === undefined ? {} : { required }),
        ...(index === 0 ? { primary: true as const } : {}),
      }
    }),
    automation: automationOf(category, type),
  }
}

const built = new Map<string, Constraints>()
/** What a type allows; undefined when the category has no such type. */
export function constraintsOf(category: Category, type: string): Constraints | undefined {
  if (!isTypeOf(category, type)) return undefined
  const known = built.get(`${category}.${type}`)
  if (known) return known
  const made = build(category, type)
  built.set(`${category}.${type}`, made)
  return made
}

/** The automation a platform of this type starts with: everything the type can do, by its first method. */
export function defaultAutomation(category: Category, type: string): Record<string, unknown> {
  const automation = constraintsOf(category, type)?.automation ?? {}
  const pairs = automations.flatMap((name): [string, unknown][] => {
    const methods = automation[`${name}_methods`] as readonly Method[] | undefined
    return [
      [`${name}_enabled`, automation[`${name}_enabled`] === true],
      [`${name}_method`, methods?.[0]?.id ?? null],
    ]
  })
  return {
    ansible_enabled: automation['ansible_enabled'] === true,
    ansible_config: automation['ansible_config'] ?? {},
    ...Object.fromEntries(pairs),
  }
}
