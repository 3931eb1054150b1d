/** The platforms every installation starts with. Their ids are part of the wire. */
import { constraintsOf, defaultAutomation } from './constraints.ts'
import { type ProtocolSetting, settingDefaults } from './protocols.ts'
import type { AssetType, Category } from './types.ts'

export const gatewayPlatformName = 'Gateway'
export const gatewayPlatformId = 11

interface Built {
  id: number
  name: string
  category: Category
  type: AssetType
  internal?: false
  /** Every protocol is offered to new assets. */
  allDefault?: true
  setting?: ProtocolSetting
  only?: readonly string[]
  requires?: string
  automation?: Record<string, unknown>
}
const platform = (
  id: number,
  name: string,
  category: Category,
  type: AssetType,
  more: Partial<Built> = {},
): Built => ({
  id,
  name,
  category,
  type,
  ...more,
})

const list: readonly Built[] = [
  platform(1, 'Linux', 'host', 'linux'),
  platform(2, 'Unix', 'host', 'unix'),
  platform(3, 'macOS', 'host', 'unix'),
  platform(4, 'BSD', 'host', 'unix'),
  platform(5, 'Windows', 'host', 'windows', { setting: { security: 'any' } }),
  platform(6, 'Windows2016', 'host', 'windows', { internal: false, allDefault: true }),
  platform(7, 'Other', 'host', 'other', { internal: false, allDefault: true }),
  platform(8, 'Windows-RDP', 'host', 'windows', { setting: { security: 'rdp' } }),
  platform(9, 'Windows-TLS', 'host', 'windows', { setting: { security: 'tls' } }),
  platform(10, 'AIX', 'host', 'unix', {
    automation: { change_secret_method: 'change_secret_aix', push_account_method: 'push_account_aix' },
  }),
  platform(gatewayPlatformId, gatewayPlatformName, 'host', 'linux'),
  platform(12, 'RemoteAppHost', 'host', 'windows', { only: ['rdp', 'ssh'], requires: 'ssh' }),
  platform(13, 'General', 'device', 'general'),
  platform(14, 'Cisco', 'device', 'general'),
  platform(15, 'Huawei', 'device', 'general'),
  platform(16, 'H3C', 'device', 'general'),
  platform(17, 'MySQL', 'database', 'mysql'),
  platform(18, 'MariaDB', 'database', 'mariadb'),
  platform(19, 'PostgreSQL', 'database', 'postgresql'),
  platform(20, 'Oracle', 'database', 'oracle'),
  platform(21, 'SQLServer', 'database', 'sqlserver'),
  platform(22, 'ClickHouse', 'database', 'clickhouse'),
  platform(23, 'MongoDB', 'database', 'mongodb'),
  platform(24, 'Redis', 'database', 'redis', { setting: { auth_username: false } }),
  platform(25, 'Redis6+', 'database', 'redis', { setting: { auth_username: true } }),
  platform(26, 'Website', 'web', 'website'),
  platform(27, 'Vmware-vSphere', 'cloud', 'private'),
  platform(28, 'Kubernetes', 'cloud', 'k8s'),
]

export interface StoredProtocol {
  id: number
  name: string
  port: number
  default: boolean
  required: boolean
  setting: ProtocolSetting
}
export interface BuiltInPlatform {
  id: number
  name: string
  internal: boolean
  category: Category
  type: AssetType
  charset: 'utf-8'
  domain_enabled: boolean
  su_enabled: boolean
  su_method: null
  protocols: StoredProtocol[]
  automation: Record<string, unknown>
}

function build(of: Built): BuiltInPlatform {
  const constraints = constraintsOf(of.category, of.type)
  if (constraints === undefined) throw new Error(`${of.category} has no type ${of.type}`)
  const offered = constraints.protocols.filter(({ name }) => of.only === undefined || of.only.includes(name))
  return {
    id: of.id,
    name: of.name,
    internal: of.internal ?? true,
    category: of.category,
    type: of.type,
    charset: 'utf-8',
    domain_enabled: constraints.domain_enabled,
    su_enabled: constraints.su_enabled,
    su_method: null,
    protocols: offered.map(({ name, port, setting }, index) => ({
      id: index + 1,
      name,
      port,
      default: of.allDefault === true,
      required: name === of.requires,
      setting: { ...settingDefaults, ...setting, ...(index === 0 ? of.setting : {}) },
    })),
    automation: { ...defaultAutomation(of.category, of.type), ...of.automation },
  }
}
export const builtInPlatforms: readonly BuiltInPlatform[] = list.map((entry) => build(entry))
