/** What an administrator sees. */
import { knock } from './ground.ts'
import { list, press, pressForTicked, prove, type Screen, tabs } from './screen.ts'

/** Nobody's, for pages of what is not there. */
const nobody = '00000000-0000-0000-0000-00000000dead'
export const inside: readonly Screen[] = [
  { name: 'tickets-mine', address: '/ui/tickets/my-tickets' },
  { name: 'tickets-assigned', address: '/ui/tickets/assigned-tickets' },
  {
    name: 'ticket-detail-open',
    address: '/ui/tickets/assigned-tickets',
    act: async (page, system) => {
      await knock(system, 'reviewed')
      await page.reload()
      await page.locator('tbody a').first().click()
      await page.locator('textarea').waitFor()
    },
  },
  {
    name: 'ticket-detail-closed',
    address: '/ui/tickets/tickets/login-confirm/{id}',
    rows: 'tickets/tickets/?state=approved',
  },
  {
    name: 'ticket-login-asset',
    address: '/ui/tickets/tickets/login-host-confirm/{id}',
    rows: 'tickets/tickets/?type=login_asset_confirm',
  },
  ...list('users', '/ui/console/users/users', 'users/users/'),
  ...tabs('users-detail', '/ui/console/users/users', 'users/users/?username=reviewed', [
    'UserLoginACLList',
    'UserGrantedAssets',
    'UserAssetPermissionRules',
  ]),
  {
    name: 'users-create-refused',
    address: '/ui/console/users/users/create',
    act: async (page) => {
      await page.locator('form button[type=submit]').first().click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  {
    name: 'users-row-menu',
    address: '/ui/console/users/users',
    act: async (page) => page.locator('tbody button[aria-haspopup]').first().click(),
  },
  {
    name: 'users-delete',
    address: '/ui/console/users/users/{id}',
    rows: 'users/users/?username=ann',
    act: press(/^(Delete|删除|削除)$/u),
  },
  { name: 'users-invite', address: '/ui/console/users/users', act: press(/^(Invite|邀请|招待)$/u) },
  {
    name: 'users-bulk-update',
    address: '/ui/console/users/users',
    act: pressForTicked(/Update selected|更新所选|選択した行を更新/u),
  },
  ...list('groups', '/ui/console/users/groups', 'users/groups/'),
  {
    name: 'groups-conflict',
    address: '/ui/console/users/groups/{id}/update',
    rows: 'users/groups/?name=Network',
    act: async (page, system) => {
      const comment = page.locator('textarea[name=comment]')
      await comment.fill(`Switches and lines, ${Date.now()}`)
      const id = new URL(page.url()).pathname.split('/').at(-2)
      const theirs = { comment: `Routers, switches, lines: ${Date.now()}` }
      await system.admin.patch(`/api/v1/users/groups/${id}/`, theirs)
      await page.locator('form button[type=submit]').first().click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  { name: 'users-import', address: '/ui/console/users/users', act: press(/^(Import|导入|インポート)$/u) },
  { name: 'users-export', address: '/ui/console/users/users', act: press(/^(Export|导出|エクスポート)$/u) },
  { name: 'login-rules', address: '/ui/console/users/users/user-acl' },
  { name: 'login-rule-create', address: '/ui/console/users/users/user-acl/create' },
  { name: 'roles', address: '/ui/console/users/roles' },
  { name: 'role-detail', address: '/ui/console/users/roles/{id}?scope=org', rows: 'rbac/org-roles/' },
  ...tabs('role-detail', '/ui/console/users/roles', 'rbac/org-roles/', ['RoleUsers']).map((one) => ({
    ...one,
    address: `${one.address}&scope=org`,
  })),
  { name: 'role-create', address: '/ui/console/users/roles/create?scope=org' },
  { name: 'assets', address: '/ui/console/assets/assets' },
  { name: 'asset-detail', address: '/ui/console/assets/assets/{id}', rows: 'assets/hosts/' },
  ...tabs('asset-detail', '/ui/console/assets/assets', 'assets/hosts/?name=live-demo', [
    'Account',
    'PermUserList',
    'AssetPermissions',
  ]),
  ...['hosts', 'devices', 'databases', 'clouds', 'webs'].flatMap((list): Screen[] => [
    { name: list, address: `/ui/console/assets/${list}` },
    { name: `${list}-create`, address: `/ui/console/assets/${list}/create` },
    { name: `${list}-update`, address: `/ui/console/assets/${list}/{id}/update`, rows: `assets/${list}/` },
  ]),
  {
    name: 'hardware-update',
    address: '/ui/console/assets/assets/detail/{id}/update',
    rows: 'assets/hosts/',
  },
  { name: 'database-detail', address: '/ui/console/assets/assets/{id}', rows: 'assets/databases/' },
  {
    name: 'assets-platform-choice',
    address: '/ui/console/assets/assets',
    act: press(/^(Create|创建|作成)$/u),
  },
  {
    name: 'asset-picker',
    address: '/ui/console/perms/asset-permissions/create',
    act: press(/^(Select assets|选择资产|資産を選択)$/u),
  },
  ...list('domains', '/ui/console/assets/domains', 'assets/domains/'),
  ...tabs('domain', '/ui/console/assets/domains', 'assets/domains/', ['GatewayList']),
  {
    name: 'gateway-test',
    address: '/ui/console/assets/domains/{id}?activeTab=GatewayList',
    rows: 'assets/domains/',
    act: async (page) => {
      await page.locator('tbody tr').first().hover()
      await page.locator('tbody button[aria-haspopup]').first().click()
      await page.getByRole('menuitem', { name: /^(Test connection|测试连接|接続テスト)$/u }).click()
      await page.getByRole('dialog').first().waitFor()
    },
  },
  { name: 'gateway-create', address: '/ui/console/assets/gateways/create' },
  { name: 'gateway-update', address: '/ui/console/assets/gateways/{id}/update', rows: 'assets/gateways/' },
  { name: 'assets-platforms', address: '/ui/console/assets/platforms' },
  { name: 'platform-detail', address: '/ui/console/assets/platforms/{id}', rows: 'assets/platforms/' },
  ...tabs('platform-detail', '/ui/console/assets/platforms', 'assets/platforms/', ['Automation']),
  { name: 'platform-create', address: '/ui/console/assets/platforms/create?category=host&type=linux' },
  {
    name: 'platform-protocol',
    address: '/ui/console/assets/platforms/create?category=host&type=linux',
    act: press(/^(Settings of ssh|ssh 的设置|ssh の設定)$/u),
  },
  { name: 'labels', address: '/ui/console/assets/labels' },
  { name: 'label-create', address: '/ui/console/assets/labels/create' },
  { name: 'accounts', address: '/ui/console/accounts/accounts' },
  ...list('account-templates', '/ui/console/accounts/account-template', 'accounts/account-templates/'),
  { name: 'account-detail', address: '/ui/console/accounts/accounts/{id}', rows: 'accounts/accounts/' },
  {
    name: 'account-create',
    address: '/ui/console/accounts/accounts',
    act: press(/Add account|添加账号|追加/u),
  },
  ...list('permissions', '/ui/console/perms/asset-permissions', 'perms/asset-permissions/'),
  ...tabs('permission', '/ui/console/perms/asset-permissions', 'perms/asset-permissions/', [
    'AssetPermissionUser',
    'AssetPermissionAsset',
    'AssetPermissionAccount',
  ]),
  ...list('asset-login-rules', '/ui/console/perms/host-acls', 'acls/login-asset-acls/'),
  ...list('command-filters', '/ui/console/perms/cmd-acls', 'acls/command-filter-acls/'),
  ...list('command-groups', '/ui/console/perms/cmd-groups', 'acls/command-groups/'),
  { name: 'command-groups-tab', address: '/ui/console/perms/cmd-acls?activeTab=CommandGroup' },
  { name: 'sessions-online', address: '/ui/audit/sessions/sessions' },
  { name: 'sessions-ended', address: '/ui/audit/sessions/sessions?activeTab=OfflineList' },
  {
    name: 'session-detail',
    address: '/ui/audit/sessions/sessions/{id}',
    rows: 'terminal/sessions/?is_finished=true',
  },
  ...tabs('session', '/ui/audit/sessions/sessions', 'terminal/sessions/?is_finished=true', [
    'SessionCommands',
  ]),
  { name: 'commands', address: '/ui/audit/sessions/command' },
  {
    name: 'command-unfolded',
    address: '/ui/audit/sessions/command',
    act: async (page) => {
      await page.locator('tbody button[aria-expanded]').first().click()
      await page.locator('tbody pre').first().waitFor()
    },
  },
  ...list('login-logs', '/ui/audit/audits/login-logs', 'audits/login-logs/', 'read'),
  { name: 'operate-logs', address: '/ui/audit/audits/operate-logs' },
  {
    name: 'operate-log-diff',
    address: '/ui/audit/audits/operate-logs',
    act: async (page) => {
      await page.locator('tbody button:not(:disabled)').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'operate-log-detail',
    address: '/ui/audit/audits/operate-logs/{id}',
    rows: 'audits/operate-logs/',
  },
  { name: 'password-change-logs', address: '/ui/audit/audits/password-change-log' },
  { name: 'downloads', address: '/ui/downloads' },
  { name: 'home', address: '/ui/workbench/home' },
  { name: 'my-assets', address: '/ui/workbench/assets' },
  { name: 'profile-info', address: '/ui/profile/info' },
  { name: 'profile-setting', address: '/ui/profile/setting' },
  { name: 'profile-password', address: '/ui/profile/setting?activeTab=PasswordUpdate' },
  { name: 'profile-key', address: '/ui/profile/setting?activeTab=SSHUpdate' },
  { name: 'profile-improvement', address: '/ui/profile/improvement' },
  { name: 'login-security', address: '/ui/profile/login-security' },
  {
    name: 'login-security-prove',
    address: '/ui/profile/login-security',
    act: async (page) => {
      await page.locator('main .ant-btn-primary').first().click()
      await page.locator('[role=dialog] .ant-btn-primary').click()
      await page.locator('[role=dialog] input[type=password], [role=dialog] svg[role=img]').first().waitFor()
    },
  },
  {
    name: 'login-security-setup',
    address: '/ui/profile/login-security',
    act: async (page) => {
      await page.locator('main .ant-btn-primary').first().click()
      await page.locator('[role=dialog] .ant-btn-primary').click()
      await prove(page, '[role=dialog] svg[role=img]')
    },
  },
  {
    name: 'login-security-passkey-remove',
    address: '/ui/profile/login-security',
    act: async (page) => {
      await page.locator('main li .ant-btn-dangerous').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'access-keys-made',
    address: '/ui/profile/key',
    act: async (page) => {
      await page.getByRole('button', { name: /^(Create|创建|作成)$/u }).click()
      await prove(page, '[role=dialog] [data-shown]')
    },
  },
  { name: 'access-keys', address: '/ui/profile/key' },
  { name: 'temp-passwords', address: '/ui/profile/temp-password' },
  {
    name: 'messages',
    address: '/ui/workbench/home',
    act: press(/^(Site messages|Messages|站内信|サイトメッセージ)/u),
  },
  { name: 'settings-basic', address: '/ui/settings/basic' },
  { name: 'settings-email', address: '/ui/settings/email' },
  { name: 'settings-email-content', address: '/ui/settings/email?activeTab=EmailContent' },
  { name: 'settings-message', address: '/ui/settings/message' },
  {
    name: 'settings-message-receivers',
    address: '/ui/settings/message',
    act: press(/Change receivers|修改接收人|受信者を変更/u),
  },
  { name: 'settings-security', address: '/ui/settings/security' },
  { name: 'settings-interface', address: '/ui/settings/interface' },
  {
    name: 'settings-interface-restore',
    address: '/ui/settings/interface',
    act: press(/Restore default|恢复默认|デフォルト|既定|初期/u),
  },
  { name: 'settings-clean', address: '/ui/settings/clean' },
  { name: 'settings-license', address: '/ui/settings/license' },
  {
    name: 'settings-license-import',
    address: '/ui/settings/license',
    act: press(/Import|导入|インポート/u),
  },
  ...list('organizations', '/ui/settings/orgs', 'orgs/orgs/'),
  ...tabs('organizations', '/ui/settings/orgs', 'orgs/orgs/', ['OrganizationMembers']),
  { name: 'task-log', address: `/ui/ops/celery/task/${nobody}/log` },
  { name: 'connection-tokens', address: '/ui/profile/connection-token' },
  { name: 'not-found', address: '/ui/nowhere' },
  { name: 'empty-search', address: '/ui/console/users/users?search=nobody-at-all' },
  { name: 'luna', address: '/luna/' },
  {
    name: 'luna-terminal',
    address: '/luna/?login_to={id}',
    rows: 'assets/hosts/?name=live-demo',
    act: async (page) => {
      const dialog = page.getByRole('dialog')
      const rows = page.locator('.xterm-rows')
      await Promise.race([dialog.waitFor(), rows.waitFor()]).catch(() => undefined)
      if (await dialog.isVisible()) await dialog.locator('button[type=submit]').click()
      await page.locator('.xterm-rows', { hasText: '$' }).waitFor()
    },
  },
  {
    name: 'luna-settings',
    address: '/luna/',
    act: press(/Terminal settings|终端设置|ターミナル設定|端末の設定/u),
  },
  { name: 'luna-replay', address: '/luna/replay/{id}', rows: 'terminal/sessions/?is_finished=true' },
  { name: 'luna-monitor', address: '/luna/monitor/{id}', rows: 'terminal/sessions/?is_finished=false' },
]
