import { Account } from '@sallyport/contract/resources/accounts'
import { Host } from '@sallyport/contract/resources/assets'
import { Platform } from '@sallyport/contract/resources/platforms'
import { Profile, UserGroup } from '@sallyport/contract/resources/users'
import type { Row } from '../kit/api/resource.ts'
import { serveOne, serveRows } from './fixture-rows.ts'
import type { Fixture } from './fixture-server.ts'

/** Rows that forms are tried with, and the rights to change them. */

export const groupId = '00000000-0000-4000-8000-000000000001'
export const hostId = '4a1c0000-0000-4000-8000-000000000001'
export const accountId = '5a1c0000-0000-4000-8000-000000000001'
export const groupAddress = `/ui/console/users/groups/${groupId}`

/** What a server answers that cannot. */
export const failed = () => ({ status: 500, body: { error: 'The books are closed' } })

export function mayChange(fixture: Fixture): void {
  fixture.profile.perms.push(
    'users.add_usergroup',
    'users.change_usergroup',
    'users.add_user',
    'users.change_user',
    'assets.add_asset',
    'assets.change_asset',
    'accounts.change_account',
    'accounts.add_account',
  )
}

export function serveGroup(fixture: Fixture): Row {
  const group: Row = { id: groupId, name: 'Operators', users: [], users_amount: 0, comment: 'Old' }
  serveRows(fixture, UserGroup, [group])
  return group
}

export const serveProfile = (fixture: Fixture) => serveOne(fixture, Profile, fixture.profile)

const platform = (id: number, name: string) => ({
  id,
  name,
  category: { value: 'host', label: 'Host' },
  type: { value: 'linux', label: 'Linux' },
  protocols: [
    {
      id: 1,
      name: 'ssh',
      port: 22,
      primary: true,
      required: true,
      default: true,
      secret_types: ['password'],
    },
    { id: 2, name: 'sftp', port: 22, primary: false, required: false, default: false },
  ],
})

export function serveHosts(fixture: Fixture): void {
  serveRows(fixture, Platform, [platform(1, 'Linux'), platform(2, 'Windows')])
  serveRows(fixture, Host, [
    {
      id: hostId,
      name: 'web-1',
      address: '192.0.2.1',
      platform: { id: 1, name: 'Linux' },
      nodes: [{ id: hostId, name: 'Default' }],
      protocols: [{ name: 'ssh', port: 22 }],
      labels: [],
      is_active: true,
      comment: '',
    },
  ])
}

export function serveAccounts(fixture: Fixture): void {
  serveRows(fixture, Platform, [platform(1, 'Linux')])
  serveRows(fixture, Account, [
    {
      id: accountId,
      name: 'deploy',
      username: 'deploy',
      secret_type: { value: 'password', label: 'Password' },
      asset: { id: hostId, name: 'web-1', platform: { id: 1 } },
      has_secret: true,
      privileged: false,
      is_active: true,
      comment: '',
    },
  ])
}
