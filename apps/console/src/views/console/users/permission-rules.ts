import type { TreeNode } from '../../../kit/tree/tree-node.ts'

/** What a permission, or any permission below a group of them, is of no use without. */
const needs: Readonly<Record<string, readonly string[]>> = {
  view_console: ['rbac.view_console'],
  view_audit: ['rbac.view_audit'],
  view_workbench: ['rbac.view_workbench'],
  view_setting: ['settings.view_setting'],
  cloud_import: ['assets.view_asset', 'assets.view_platform'],
  terminal_node: ['settings.change_terminal'],
  'terminal.view_commandstorage': ['settings.change_terminal'],
  'terminal.view_replaystorage': ['settings.change_terminal'],
  'terminal.view_status': ['settings.change_terminal'],
  'terminal.view_task': ['settings.change_terminal'],
  'terminal.view_terminal': ['settings.change_terminal'],
  'rbac.orgrolebinding': ['rbac.view_orgrole', 'users.view_user'],
  'rbac.systemrolebinding': ['rbac.view_systemrole', 'users.view_user'],
  'tickets.change_ticketflow': ['users.view_user', 'tickets.view_ticket'],
  'tickets.view_ticketflow': ['tickets.view_ticket'],
  'tickets.view_ticket': ['assets.match_asset', 'assets.match_node', 'rbac.view_workbench'],
  'users.invite_user': [
    'users.match_user',
    'rbac.add_orgrolebinding',
    'rbac.view_orgrolebinding',
    'rbac.view_orgrole',
  ],
  'acls.loginacl': ['users.view_user'],
  'acls.loginassetacl': ['users.view_user'],
  'acls.commandfilteracl': ['users.view_user'],
  'acls.commandgroup': ['acls.view_commandfilteracl'],
  'assets.view_asset': ['assets.view_node', 'assets.view_platform'],
  'assets.view_node': ['assets.view_asset', 'assets.view_platform'],
  'assets.add_asset': ['assets.view_platform'],
  'assets.change_asset': ['assets.view_platform'],
  'assets.gateway': ['assets.view_domain'],
  'assets.add_gateway': ['assets.view_domain', 'assets.view_platform', 'assets.view_node'],
  'assets.change_gateway': ['assets.view_domain', 'assets.view_platform', 'assets.view_node'],
  'assets.refresh_assethardwareinfo': ['assets.change_asset'],
  'accounts.view_gatheredaccount': ['assets.view_asset', 'assets.view_node'],
  'accounts.view_account': ['assets.view_node'],
  'accounts.view_accountsecret': ['accounts.view_account'],
  'accounts.view_accounttemplatesecret': ['accounts.view_accounttemplate'],
  'accounts.change_accounttemplatesecret': ['accounts.view_accounttemplate'],
  'accounts.add_account': ['assets.view_asset'],
  'perms.view_assetpermission': ['assets.view_node'],
  'perms.assetpermission': [
    'assets.view_asset',
    'assets.view_node',
    'users.view_user',
    'users.view_usergroup',
  ],
  'settings.change_systemmsgsubscription': ['users.view_user'],
  'terminal.add_terminal': ['terminal.view_commandstorage', 'terminal.view_replaystorage'],
  'terminal.change_terminal': ['terminal.view_commandstorage', 'terminal.view_replaystorage'],
  'terminal.add_applethost': ['assets.view_platform'],
  'terminal.change_applethost': ['assets.view_platform'],
  'ops.view_job': ['assets.view_asset', 'assets.view_node', 'ops.view_adhoc', 'ops.view_playbook'],
  'ops.change_job': ['assets.view_asset', 'assets.view_node', 'ops.view_adhoc', 'ops.view_playbook'],
  'ops.add_job': ['assets.view_asset', 'assets.view_node', 'ops.view_adhoc', 'ops.view_playbook'],
  'ops.add_jobexecution': ['ops.view_celerytaskexecution'],
  'xpack.add_syncinstancetask': ['assets.view_asset', 'assets.view_node', 'xpack.view_account'],
  'xpack.view_syncinstancetask': ['xpack.view_account'],
  'xpack.view_syncinstancedetail': ['xpack.view_syncinstancetask'],
  'xpack.view_syncinstancetaskexecution': ['xpack.view_syncinstancetask'],
}

const action = /^(\w+)\.([a-z]+)_(\w+)$/u
const viewOf = (code: string) => code.replace(action, '$1.view_$3')
/** What there is no use of without seeing it; who may be matched need not be seen. */
const isDoing = (code: string) => !/\.(?:view|match)_/u.test(code)

/** The tree of permissions, as its leaves know each other. */
export interface Permissions {
  byCode: ReadonlyMap<string, TreeNode>
  byId: ReadonlyMap<string, TreeNode>
}

export const permissionsOf = (nodes: readonly TreeNode[]): Permissions => ({
  byCode: new Map(nodes.filter(({ isParent }) => !isParent).map((node) => [node.title ?? '', node])),
  byId: new Map(nodes.map((node) => [node.id, node])),
})

/** The ids that are ticked after those were: with all they are of no use without. */
export function withTicked(
  of: Permissions,
  ticked: ReadonlySet<string>,
  added: readonly string[],
): Set<string> {
  const all = new Set(ticked)
  const open = [...added]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (all.has(id) && !added.includes(id)) continue
    all.add(id)
    for (const code of neededBy(of, id)) {
      const node = of.byCode.get(code)
      if (node && !all.has(node.id)) open.push(node.id)
    }
  }
  return all
}

function neededBy({ byId }: Permissions, id: string): string[] {
  const code = byId.get(id)?.title ?? ''
  const above: string[] = []
  for (let at = byId.get(id)?.pId; at !== undefined && at !== '' && above.length < byId.size;) {
    above.push(at)
    at = byId.get(at)?.pId
  }
  return [...(isDoing(code) ? [viewOf(code)] : []), ...[code, ...above].flatMap((one) => needs[one] ?? [])]
}

/** The ids that are ticked after those were no longer: what cannot be seen cannot be worked on. */
export function withoutTicked(
  of: Permissions,
  ticked: ReadonlySet<string>,
  removed: readonly string[],
): Set<string> {
  const gone = new Set(removed)
  const views = new Set(
    removed.map((id) => of.byId.get(id)?.title ?? '').filter((code) => /\.view_/u.test(code)),
  )
  const stays = (id: string) => {
    const code = of.byId.get(id)?.title ?? ''
    return !gone.has(id) && !(isDoing(code) && views.has(viewOf(code)))
  }
  return new Set([...ticked].filter(stays))
}
