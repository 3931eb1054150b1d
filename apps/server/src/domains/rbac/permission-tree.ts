/** The permissions roles of a scope can hold: as rows, and as a tree with a tick at those a role has. */
import {
  communityPermissions,
  find,
  type Language,
  permissionVerbs,
  permissionGroups,
  permissionId,
  permissionSubjects,
  type RoleScope,
  scopePermissions,
  type TreeNode,
} from '@sallyport/contract'

/** A permission taken apart: `users.add_user` lets one `add` what is `users.user`. */
export interface Parts {
  name: string
  app: string
  codename: string
  action: string
  resource: string
}

export function partsOf(name: string): Parts {
  const [app = '', codename = ''] = name.split('.', 2)
  const at = codename.indexOf('_')
  return { name, app, codename, action: codename.slice(0, at), resource: codename.slice(at + 1) }
}

/** `Add user`, in the reader's language. */
export function permissionName(name: string, language: Language): string {
  const { app, action, resource } = partsOf(name)
  const subject = find(permissionSubjects, language, `${app}.${resource}`) ?? resource
  const what = language === 'en' && !/^[A-Z]{2}/.test(subject) ? lowerFirst(subject) : subject
  const template = find(permissionVerbs, language, action)
  return template === undefined ? `${action} ${what}` : template.replace('{what}', () => what)
}
const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** By their numbers, those roles of a scope can hold. */
export const permissionsById: Readonly<Record<RoleScope, ReadonlyMap<string, string>>> = {
  system: new Map([...scopePermissions.system].map((name) => [String(permissionId(name)), name])),
  org: new Map([...scopePermissions.org].map((name) => [String(permissionId(name)), name])),
}

/** As the wire lists them. */
export function permissionRows(names: Iterable<string>, language: Language) {
  return [...names].toSorted().map((name) => {
    const { app, codename, resource } = partsOf(name)
    return {
      id: permissionId(name),
      name:
        language === 'en' ? `Can ${lowerFirst(permissionName(name, 'en'))}` : permissionName(name, language),
      content_type: { id: permissionId(`${app}.${resource}`), app_label: app, model: resource },
      codename,
    }
  })
}

const views = ['view_console', 'view_workbench', 'view_audit', 'view_setting', 'view_other'] as const

/** What stands under what: apps and groups under views, groups under apps. */
const parents: Readonly<Record<string, string>> = {
  users: 'view_console',
  assets: 'view_console',
  accounts: 'view_console',
  perms: 'view_console',
  rbac: 'view_console',
  terminal: 'view_audit',
  audits: 'view_audit',
  settings: 'view_setting',
  tickets: 'view_other',
  authentication: 'view_other',
  cloud_import: 'assets',
  backup_account_node: 'accounts',
  gather_account_node: 'accounts',
  push_account_node: 'accounts',
  asset_change_plan_node: 'accounts',
  terminal_node: 'view_setting',
  remote_application: 'view_setting',
  task_center: 'view_console',
  my_assets: 'view_workbench',
  operation_center: 'view_workbench',
}
const apps = new Set([
  'users',
  'assets',
  'accounts',
  'perms',
  'rbac',
  'terminal',
  'audits',
  'settings',
  'tickets',
  'authentication',
])

/** Resources that stand elsewhere than under their app. */
const resourceParents: Readonly<Record<string, string>> = {
  'acls.commandfilteracl': 'perms',
  'acls.commandgroup': 'perms',
  'acls.loginacl': 'perms',
  'acls.loginassetacl': 'perms',
  'xpack.account': 'cloud_import',
  'xpack.syncinstancedetail': 'cloud_import',
  'xpack.syncinstancetask': 'cloud_import',
  'xpack.syncinstancetaskexecution': 'cloud_import',
  'terminal.applet': 'remote_application',
  'terminal.applethost': 'remote_application',
  'accounts.accountbackupautomation': 'backup_account_node',
  'accounts.accountbackupexecution': 'backup_account_node',
  'accounts.pushaccountautomation': 'push_account_node',
  'accounts.pushaccountexecution': 'push_account_node',
  'accounts.gatheraccountsautomation': 'gather_account_node',
  'accounts.gatheraccountsexecution': 'gather_account_node',
  'accounts.gatheredaccount': 'gather_account_node',
  'accounts.changesecretautomation': 'asset_change_plan_node',
  'accounts.changesecretexecution': 'asset_change_plan_node',
  'accounts.changesecretrecord': 'asset_change_plan_node',
  'orgs.organization': 'view_setting',
  'settings.setting': 'view_setting',
  'terminal.terminal': 'terminal_node',
  'terminal.commandstorage': 'terminal_node',
  'terminal.replaystorage': 'terminal_node',
  'terminal.status': 'terminal_node',
  'terminal.task': 'terminal_node',
  'terminal.endpoint': 'terminal_node',
  'terminal.endpointrule': 'terminal_node',
  'audits.ftplog': 'terminal',
  'ops.celerytask': 'task_center',
  'ops.job': 'operation_center',
  'ops.adhoc': 'operation_center',
  'ops.playbook': 'operation_center',
  'ops.jobexecution': 'operation_center',
}
/** Permissions that stand by themselves, under no resource. */
const permissionParents: Readonly<Record<string, string>> = {
  'settings.change_terminal': 'terminal_node',
  'perms.view_myassets': 'my_assets',
  'ops.view_celerytaskexecution': 'task_center',
  'ops.view_taskmonitor': 'task_center',
  'rbac.view_console': 'view_console',
  'rbac.view_audit': 'view_audit',
  'rbac.view_workbench': 'view_workbench',
  'rbac.view_webterminal': 'view_workbench',
  'rbac.view_filemanager': 'view_workbench',
  'settings.view_setting': 'view_setting',
  'tickets.view_ticket': 'tickets',
}

const root = '$ROOT$'
const icons = new Set(['add', 'view', 'change', 'delete', 'invite', 'match', 'remove'])
const order = ['view', 'add', 'change', 'delete']
const rank = (action: string) => (order.indexOf(action) + order.length + 1) % (order.length + 1)

/** Without a licence these are not to be seen. */
const licensed = new Set([
  'settings.change_interface',
  'settings.change_sms',
  'users.invite_user',
  'users.remove_user',
])
const licensedSubjects = /^(?:xpack|tickets)\.|^rbac\.\w+?_orgrole(?:binding)?$/

interface Asked {
  scope: RoleScope
  held: ReadonlySet<string>
  /** Nothing can be ticked. */
  fixed: boolean
  hasLicence: boolean
  language: Language
}

const parentOf = ({ name, app, resource }: Parts) => permissionParents[name] ?? `${app}.${resource}`

/** The tree of a role: views, apps, resources, and their permissions as leaves, leaves before what has others below it. */
export function permissionTree({ scope, held, fixed, hasLicence, language }: Asked): TreeNode[] {
  const names = [...(hasLicence ? scopePermissions : communityPermissions)[scope]].filter(
    (name) => hasLicence || !(licensed.has(name) || licensedSubjects.test(name)),
  )
  const leaves = names
    .map(partsOf)
    .toSorted(
      (a, b) =>
        (a.resource < b.resource ? -1 : a.resource > b.resource ? 1 : 0) || rank(a.action) - rank(b.action),
    )
  const counts = new Map<string, { checked: number; total: number; parent: string }>()
  const count = (id: string, isChecked: boolean): void => {
    const known = counts.get(id) ?? { checked: 0, total: 0, parent: above(id) }
    counts.set(id, { ...known, checked: known.checked + Number(isChecked), total: known.total + 1 })
    if (id !== root) count(known.parent, isChecked)
  }
  for (const leaf of leaves) count(parentOf(leaf), held.has(leaf.name))
  const common = { parentInfo: '', nocheck: false, halfCheck: false, chkDisabled: fixed }
  return [
    ...leaves.map((leaf) => ({
      ...common,
      id: String(permissionId(leaf.name)),
      name: permissionName(leaf.name, language),
      title: leaf.name,
      pId: parentOf(leaf),
      isParent: false,
      open: false,
      iconSkin: icons.has(leaf.action) ? leaf.action : 'file',
      checked: held.has(leaf.name),
      meta: { type: 'perm' },
    })),
    ...inOrder([...counts.keys()]).map((id) => {
      const { checked, total, parent } = counts.get(id) ?? { checked: 0, total: 0, parent: '' }
      const type = typeOf(id)
      return {
        ...common,
        id,
        name: `${groupName(id, language)}(${checked}/${total})`,
        title: id,
        pId: parent,
        isParent: true,
        open: type === 'root' || type === 'view',
        iconSkin: '',
        checked: checked > 0,
        meta: { type },
      }
    }),
  ]
}

function above(id: string): string {
  if (id === root) return ''
  if (id.includes('.')) {
    const [app = ''] = id.split('.', 1)
    return resourceParents[id] ?? (apps.has(app) ? app : root)
  }
  return parents[id] ?? root
}

function typeOf(id: string): string {
  if (id === root) return 'root'
  if (views.some((view) => view === id)) return 'view'
  if (apps.has(id)) return 'app'
  return id.includes('.') ? 'model' : 'extra'
}

function groupName(id: string, language: Language): string {
  if (id.includes('.')) {
    const subject = find(permissionSubjects, language, id) ?? id
    return subject.charAt(0).toUpperCase() + subject.slice(1)
  }
  return find(permissionGroups, language, id) ?? id
}

/** The root, then views in their order, then the rest as they were named first. */
function inOrder(ids: readonly string[]): string[] {
  const first = [root, ...views].filter((id) => ids.includes(id))
  return [...first, ...ids.filter((id) => !first.includes(id))]
}

/** What a message calls permissions. */
export const namesOf = (names: readonly string[], language: Language) =>
  names.map((name) => permissionName(name, language)).join(', ')
