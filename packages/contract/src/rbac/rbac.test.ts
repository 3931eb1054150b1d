import { expect, it } from 'vitest'
import { languages } from '../messages/language.ts'
import { permissionSubjects, permissionVerbs } from '../messages/resources.ts'
import {
  builtinRoles,
  communityPermissions,
  permissionId,
  type RoleScope,
  scopePermissions,
} from './index.ts'

/** Permissions about what only we have. */
const ours = /_(hostkey)$/

const permissionsOf = (name: string) =>
  builtinRoles.find((role) => role.name === name)?.permissions ?? new Set()

it('lists what the compatible system lists for each scope', () => {
  const theirs = (scope: RoleScope) => [...communityPermissions[scope]].filter((name) => !ours.test(name))
  expect(theirs('system')).toHaveLength(234)
  expect(theirs('org')).toHaveLength(156)
})

it('gives each built-in role its set', () => {
  expect(permissionsOf('OrgUser').size).toBe(21)
  expect(permissionsOf('User').size).toBe(33)
  expect(permissionsOf('OrgAuditor').size).toBe(39)
  expect(permissionsOf('SystemAuditor').size).toBe(53)
})

it.each(builtinRoles.map((role) => [role.name, role] as const))(
  '%s holds nothing outside its scope',
  (_, role) => {
    expect(
      [...role.permissions].filter((permission) => !scopePermissions[role.scope].has(permission)),
    ).toEqual([])
  },
)

it('keeps users and auditors out of the console', () => {
  const withConsole = builtinRoles
    .filter((role) => role.permissions.has('rbac.view_console'))
    .map((role) => role.name)
  expect(withConsole).toEqual(['SystemAdmin', 'OrgAdmin'])
})

it('has a number of its own for each permission, the same for ever', () => {
  const all = [...scopePermissions.system]
  expect(new Set(all.map(permissionId)).size).toBe(all.length)
  expect(permissionId('users.add_user')).toBe(1_663_336_834)
})

it.each(languages)('calls every permission by a name in %s', (language) => {
  const unnamed = [...scopePermissions.system].filter((name) => {
    const [, app, verb, resource] = /^(\w+)\.([a-z]+)_(\w+)$/.exec(name) ?? []
    const subjects: Readonly<Record<string, string>> = permissionSubjects[language]
    const verbs: Readonly<Record<string, string>> = permissionVerbs[language]
    return !subjects[`${app}.${resource}`] || !verbs[verb ?? '']
  })
  expect(unnamed).toEqual([])
})
