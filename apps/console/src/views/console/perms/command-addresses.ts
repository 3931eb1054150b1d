export const commandFiltersAddress = '/console/perms/cmd-acls'
export const commandGroupsAddress = '/console/perms/cmd-groups'
