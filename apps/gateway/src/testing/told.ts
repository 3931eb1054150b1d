/** What the test server answers about grants and hosts. */
import type { GrantTold } from '@sallyport/contract/gateway/grants'
import { type Grant, publicUser, type TestHost, type TestZone } from './people.ts'

/** What it takes to connect. */
export function grantTold(grant: Grant, protocol: string): GrantTold {
  const { user, host, actions, expire_at } = grant
  const { su_from = null, ...account } = grant.account
  const platform = host.platform ?? { name: 'Linux', category: 'host', type: 'linux' }
  const labeled = (value: string) => ({ value, label: value })
  const org_id = '00000000-0000-0000-0000-000000000002'
  return {
    user: { ...publicUser(user), email: `${user.username}@example.com` },
    asset: {
      id: host.id,
      name: host.name,
      address: host.address,
      protocols: [{ name: 'ssh', port: host.port }],
      category: labeled(platform.category),
      type: labeled(platform.type),
      org_id,
      spec_info: {},
      secret_info: {},
    },
    account: {
      ...account,
      secret_type: labeled(account.secret_type),
      su_from: su_from && { ...su_from, secret_type: labeled(su_from.secret_type) },
      privileged: false,
    },
    platform: {
      id: 1,
      name: platform.name,
      charset: labeled('utf-8'),
      su_method: host.su_method ? { value: host.su_method, label: host.su_method } : null,
      protocols: [{ name: 'ssh', setting: { old_ssh_version: platform.old_ssh_version } }],
    },
    command_filter_acls: [],
    // What the gateway cannot use is its matter to refuse.
    protocol: protocol as GrantTold['protocol'],
    ...zoneTold(host.zone),
    actions: actions.map((value) => labeled(value)),
    expire_at,
    from_ticket: null,
    connect_method: { ...labeled('web_cli'), type: 'web', component: 'koko' },
    org_id,
    org_name: 'DEFAULT',
  }
}

function zoneTold(zone: TestZone | undefined): Pick<GrantTold, 'domain' | 'gateway' | 'gateways'> {
  if (!zone) return { domain: null, gateway: null, gateways: [] }
  const gateways = zone.gateways.map(({ id, name, address, port, accounts: [account] }) => ({
    id,
    name,
    address,
    protocols: [{ name: 'ssh', port }],
    account: account
      ? { ...account, secret_type: { value: account.secret_type, label: account.secret_type } }
      : null,
  }))
  return {
    domain: { id: zone.id, name: zone.name },
    gateway: gateways.find(({ account }) => account !== null) ?? null,
    gateways,
  }
}

/** A row of what a person was granted. */
export const shownHost = (host: TestHost) => ({
  id: host.id,
  name: host.name,
  address: host.address,
  is_active: true,
  comment: '',
  org_name: 'DEFAULT',
  platform: { id: 1, name: 'Linux' },
  protocols: [{ name: 'ssh', port: host.port }],
})
