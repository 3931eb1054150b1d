/**
 * Every permission a role may hold. Written `resource: 'actions'` per app, meaning `app.action_resource`; what is not listed is held by
 * the system administrator only.
 */
type Grants = Readonly<Record<string, Readonly<Record<string, string>>>>

const all = 'add change delete view'

const systemGrants = {
  accounts: {
    account: 'add change delete push verify view',
    accountbackupautomation: all,
    accountbackupexecution: 'add view',
    accountsecret: 'view',
    accounttemplate: all,
    accounttemplatesecret: 'change view',
    changesecretautomation: all,
    changesecretexecution: 'add view',
    changesecretrecord: 'view',
    gatheraccountsautomation: all,
    gatheraccountsexecution: 'add view',
    gatheredaccount: all,
    pushaccountautomation: all,
    pushaccountexecution: 'add view',
  },
  acls: { commandfilteracl: all, commandgroup: all, loginacl: all, loginassetacl: all },
  assets: {
    asset: 'add change delete match view',
    assetconnectivity: 'test',
    assethardwareinfo: 'refresh',
    assetnodes: 'change',
    domain: all,
    gateway: all,
    label: all,
    node: 'add change delete match view',
    platform: all,
  },
  audits: {
    activitylog: 'view',
    ftplog: 'add view',
    joblog: 'view',
    operatelog: 'view',
    passwordchangelog: 'view',
    userloginlog: 'view',
  },
  authentication: {
    accesskey: all,
    connectiontoken: 'add change view',
    connectiontokensecret: 'view',
    superconnectiontoken: 'add view',
    temptoken: 'add change view',
  },
  ops: {
    adhoc: all,
    celerytask: 'view',
    celerytaskexecution: 'view',
    job: all,
    jobexecution: 'add view',
    playbook: all,
    taskmonitor: 'view',
  },
  orgs: { organization: all, alljoinedorg: 'view', rootorg: 'view' },
  perms: { assetpermission: all, myassets: 'view', userassets: 'view' },
  rbac: {
    audit: 'view',
    console: 'view',
    filemanager: 'view',
    orgrole: all,
    orgrolebinding: 'add delete view',
    permission: 'view',
    systemrole: all,
    systemrolebinding: 'add delete view',
    webterminal: 'view',
    workbench: 'view',
  },
  settings: {
    setting: 'view',
    auth: 'change',
    clean: 'change',
    email: 'change',
    interface: 'change',
    license: 'change',
    other: 'change',
    security: 'change',
    sms: 'change',
    systemmsgsubscription: 'change',
    terminal: 'change',
  },
  terminal: {
    applet: all,
    applethost: all,
    command: 'add view',
    commandstorage: all,
    endpoint: all,
    endpointrule: all,
    hostkey: 'change delete view',
    replaystorage: all,
    session: 'add change monitor terminate view',
    sessionactionperm: 'validate',
    sessionjoinrecord: 'add change view',
    sessionreplay: 'download upload view',
    status: 'add view',
    supersessionsharing: 'add',
    task: 'change view',
    terminal: all,
    terminalconfig: 'view',
  },
  tickets: {
    superticket: 'add change view',
    ticket: 'view',
    ticketflow: 'change view',
    ticketsession: 'add change',
  },
  users: {
    user: 'add change delete invite match remove view',
    usergroup: all,
  },
} as const satisfies Grants

/** Cloud synchronization, with a licence. */
const enterpriseGrants = {
  xpack: {
    account: all,
    syncinstancedetail: 'view',
    syncinstancetask: all,
    syncinstancetaskexecution: 'add view',
  },
} as const satisfies Grants

type WordsOf<S> = S extends `${infer First} ${infer Rest}` ? First | WordsOf<Rest> : S
type StringsOf<G> = {
  [App in keyof G & string]: {
    [Of in keyof G[App] & string]: `${App}.${WordsOf<G[App][Of]> & string}_${Of}`
  }[keyof G[App] & string]
}[keyof G & string]
type SubjectsOf<G> = { [App in keyof G & string]: `${App}.${keyof G[App] & string}` }[keyof G & string]
/** A permission there is: `users.view_user` and the like. */
export type PermissionName = StringsOf<typeof systemGrants> | StringsOf<typeof enterpriseGrants>
/** What permissions are about: `users.user` and the like. */
export type PermissionSubject = SubjectsOf<typeof systemGrants> | SubjectsOf<typeof enterpriseGrants>
/** The permission to do something with what it is about; there need not be one. */
export const permissionTo = (action: 'add' | 'change' | 'delete' | 'view', about: PermissionSubject) =>
  about.replace('.', `.${action}_`) as PermissionName

/** What an organization's role can never hold: whole apps, and single permissions. */
const systemOnlyApps = new Set(['authentication', 'orgs', 'settings', 'tickets'])
const systemOnly = new Set(
  stringsOf({
    assets: { platform: 'add change delete' },
    ops: { taskmonitor: 'view' },
    rbac: { orgrole: 'add change delete', systemrole: all, systemrolebinding: 'add delete view' },
    terminal: {
      commandstorage: all,
      endpoint: all,
      endpointrule: all,
      replaystorage: all,
      status: 'add view',
      task: 'change view',
      terminal: all,
      terminalconfig: 'view',
    },
    users: { user: 'delete' },
  }),
)

function stringsOf(grants: Grants): string[] {
  return Object.entries(grants).flatMap(([app, resources]) =>
    Object.entries(resources).flatMap(([resource, actions]) =>
      actions.split(' ').map((action) => `${app}.${action}_${resource}`),
    ),
  )
}

const inOrganizations = (permission: string) =>
  !systemOnly.has(permission) && !systemOnlyApps.has(permission.slice(0, permission.indexOf('.')))

const community = stringsOf(systemGrants)
const enterprise = stringsOf(enterpriseGrants)

export type RoleScope = 'system' | 'org'
/** What roles of a scope may hold in the community edition. */
export const communityPermissions: Readonly<Record<RoleScope, ReadonlySet<string>>> = {
  system: new Set(community),
  org: new Set(community.filter(inOrganizations)),
}
/** What roles of a scope may hold with a licence. */
export const scopePermissions: Readonly<Record<RoleScope, ReadonlySet<string>>> = {
  system: new Set([...community, ...enterprise]),
  org: new Set([...communityPermissions.org, ...enterprise]),
}

export const orgUserPermissions: readonly string[] = stringsOf({
  assets: { asset: 'match', node: 'match' },
  ops: {
    adhoc: all,
    celerytaskexecution: 'view',
    job: all,
    jobexecution: 'add view',
    playbook: all,
  },
  perms: { myassets: 'view' },
  rbac: { filemanager: 'view', webterminal: 'view', workbench: 'view' },
})

export const systemUserPermissions: readonly string[] = [
  ...orgUserPermissions,
  ...stringsOf({
    authentication: { accesskey: all, connectiontoken: 'add change view', temptoken: 'add change view' },
    orgs: { alljoinedorg: 'view' },
    tickets: { ticket: 'view' },
  }),
]

export const orgAuditPermissions: readonly string[] = stringsOf({
  audits: {
    activitylog: 'view',
    ftplog: 'add view',
    joblog: 'view',
    operatelog: 'view',
    passwordchangelog: 'view',
    userloginlog: 'view',
  },
  rbac: { audit: 'view' },
  terminal: {
    command: 'add view',
    session: 'add change monitor terminate view',
    sessionactionperm: 'validate',
    sessionreplay: 'download view',
  },
})

export const systemAuditPermissions: readonly string[] = [
  ...orgAuditPermissions,
  'terminal.view_commandstorage',
  'orgs.view_rootorg',
]

/** Everything of the system but the power over roles and accounts. */
export const componentPermissions: readonly string[] = community.filter(
  (permission) =>
    !permission.startsWith('rbac.') && permission !== 'users.add_user' && permission !== 'users.delete_user',
)
