/** Protocols by which assets are reached: ports, secrets and settings. */
import { choices } from '../resource/choices.ts'
import type { SecretType } from './types.ts'

export interface ProtocolSetting {
  console?: boolean
  security?: 'any' | 'rdp' | 'tls' | 'nla'
  sftp_enabled?: boolean
  sftp_home?: string
  autofill?: 'no' | 'basic' | 'script'
  username_selector?: string
  password_selector?: string
  submit_selector?: string
  script?: unknown
  auth_username?: boolean
  /** Of ssh: what old servers need besides is offered, too (weak ciphers, SHA-1, group 1). */
  old_ssh_version?: boolean
}
export interface ProtocolSpec {
  port: number
  secretTypes: readonly SecretType[]
  setting?: ProtocolSetting
  /** Assets of the type cannot do without it. */
  required?: true
}

export const protocols = {
  ssh: {
    port: 22,
    secretTypes: ['password', 'ssh_key'],
    setting: { sftp_enabled: true, sftp_home: '/tmp', old_ssh_version: false },
  },
  rdp: { port: 3389, secretTypes: ['password'], setting: { console: false, security: 'any' } },
  telnet: { port: 23, secretTypes: ['password'] },
  vnc: { port: 5900, secretTypes: ['password'] },
  mysql: { port: 3306, secretTypes: ['password'], setting: {}, required: true },
  mariadb: { port: 3306, secretTypes: ['password'], required: true },
  oracle: { port: 1521, secretTypes: ['password'], required: true },
  postgresql: { port: 5432, secretTypes: ['password'], required: true },
  sqlserver: { port: 1433, secretTypes: ['password'], required: true },
  clickhouse: { port: 9000, secretTypes: ['password'], required: true },
  redis: { port: 6379, secretTypes: ['password'], setting: { auth_username: true }, required: true },
  mongodb: { port: 27017, secretTypes: ['password'], required: true },
  k8s: { port: 443, secretTypes: ['token'], required: true },
  http: {
    port: 80,
    secretTypes: ['password'],
    setting: {
      username_selector: 'name=username',
      password_selector: 'name=password',
      submit_selector: 'id=login_button',
    },
  },
} as const satisfies Record<string, ProtocolSpec>
export type Protocol = keyof typeof protocols

export const protocolNames = Object.keys(protocols) as Protocol[]
export const protocolChoices = choices('protocol', protocolNames)
export const specOf = (name: string): ProtocolSpec | undefined =>
  Object.hasOwn(protocols, name) ? protocols[name as Protocol] : undefined

/** Every setting a protocol of a platform is read with, where it says nothing itself. */
export const settingDefaults: Required<ProtocolSetting> = {
  console: false,
  security: 'any',
  sftp_enabled: true,
  sftp_home: '/tmp',
  autofill: 'basic',
  username_selector: '',
  password_selector: '',
  submit_selector: '',
  script: [],
  auth_username: false,
  old_ssh_version: false,
}

/** Whether a platform with these protocols allows what only old SSH servers need. */
export const allowsOldSsh = (
  protocols: readonly { name: string; setting?: Pick<ProtocolSetting, 'old_ssh_version'> | null }[],
): boolean => protocols.find(({ name }) => name === 'ssh')?.setting?.old_ssh_version === true
