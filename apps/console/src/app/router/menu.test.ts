import { expect, test } from 'vitest'
import { type RouteDeclaration, resourceRoutes, route } from '../../kit/routes/route.ts'
import type { Session } from '../../kit/session/session.ts'
import { activeAddress, firstAddress, menuOf } from './menu.ts'
import { isAllowed, resolveRoutes } from './resolve.ts'

const screens = () => Promise.reject(new Error('not loaded for a menu'))
const component = () => Promise.reject(new Error('not loaded for a menu'))

const table = route({
  path: 'console',
  title: 'viewConsole',
  children: [
    {
      path: 'users',
      title: 'users',
      children: [
        resourceRoutes({
          path: 'users',
          title: 'userList',
          singular: 'user',
          about: 'users.user',
          screens,
        }),
        resourceRoutes({
          path: 'groups',
          title: 'userGroups',
          singular: 'userGroup',
          about: 'users.usergroup',
          screens,
        }),
      ],
    },
    {
      path: 'assets',
      title: 'assets',
      children: [
        { path: 'platforms', title: 'platforms', about: 'assets.platform', component },
        { path: 'labels', title: 'assets', about: 'assets.label', licensed: true, component },
        {
          path: 'clouds',
          title: 'assets',
          permission: [['assets.view_gateway', 'assets.view_asset'], 'rbac.view_console'],
          hidden: (session) => !session.settings.SECURITY_COMMAND_EXECUTION,
          component,
        },
      ],
    },
  ],
})

function sessionWith(perms: string[], settings: object = {}): Session {
  const partial = {
    profile: { perms },
    settings: { XPACK_LICENSE_IS_VALID: true, SECURITY_COMMAND_EXECUTION: true, ...settings },
  }
  return partial as unknown as Session
}

const view = resolveRoutes('console', table)

function menuFor(perms: string[], settings?: object) {
  return menuOf(view, sessionWith(perms, settings)).map(({ title, address, children }) => ({
    title,
    address,
    children: children.map((child) => child.address),
  }))
}

test('the menu offers what a person may list, and no create, update or detail page', () => {
  expect(menuFor(['users.view_user', 'users.view_usergroup', 'users.add_user'])).toEqual([
    {
      title: 'users',
      address: '/console/users',
      children: ['/console/users/users', '/console/users/groups'],
    },
  ])
})

test('a group with one page left is that page', () => {
  expect(menuFor(['users.view_usergroup', 'assets.view_platform'])).toEqual([
    { title: 'userGroups', address: '/console/users/groups', children: [] },
    { title: 'platforms', address: '/console/assets/platforms', children: [] },
  ])
})

test('licensed pages need the licence', () => {
  const perms = ['assets.view_platform', 'assets.view_label']
  expect(menuFor(perms)[0]?.children).toHaveLength(2)
  expect(menuFor(perms, { XPACK_LICENSE_IS_VALID: false })[0]?.children).toEqual([])
})

test('all entries of a permission list must hold, of a list inside it any one', () => {
  const clouds = ['/console/assets/clouds']
  expect(menuFor(['assets.view_asset', 'rbac.view_console']).map(({ address }) => address)).toEqual(clouds)
  expect(menuFor(['assets.view_asset'])).toEqual([])
  const off = { SECURITY_COMMAND_EXECUTION: false }
  expect(menuFor(['assets.view_gateway', 'rbac.view_console'], off)).toEqual([])
})

test('each page asks for the permission its path implies', () => {
  const groups = view.children[0]?.children[1]
  expect(groups?.children.map(({ address, permission }) => [address, permission])).toEqual([
    ['/console/users/groups', 'users.view_usergroup'],
    ['/console/users/groups/create', 'users.add_usergroup'],
    ['/console/users/groups/:id/update', 'users.change_usergroup'],
    ['/console/users/groups/:id', 'users.view_usergroup'],
  ])
  const [list, create] = groups?.children ?? []
  const reader = sessionWith(['users.view_usergroup'])
  expect(list && isAllowed(list, reader)).toBe(true)
  expect(create && isAllowed(create, reader)).toBe(false)
})

test('a view opens at the first page the person has', () => {
  const out: RouteDeclaration = { path: 'terminal', title: 'webTerminal', href: () => '/luna/' }
  const withLink = resolveRoutes('console', { ...table, children: [out, ...(table.children ?? [])] })
  const menu = menuOf(withLink, sessionWith(['users.view_usergroup', 'assets.view_platform']))
  expect(firstAddress(menu)).toBe('/console/users/groups')
  expect(firstAddress(menuOf(withLink, sessionWith([])))).toBeUndefined()
})

test('a detail page marks its list in the menu', () => {
  const menu = menuOf(view, sessionWith(['users.view_user', 'users.view_usergroup']))
  expect(activeAddress(menu, '/console/users/groups/1/update')).toBe('/console/users/groups')
  expect(activeAddress(menu, '/console/users/groupsies')).toBeUndefined()
})
