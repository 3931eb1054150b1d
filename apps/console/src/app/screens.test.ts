/** Over all screens: what types cannot tell of an address, a permission or an action that is named wrongly. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resourceRoutes } from '../kit/routes/route.ts'
import { screens } from '../kit/screens/screens.tsx'
import { UserGroup } from '@sallyport/contract/resources/users'
import type { ResolvedRoute } from './router/resolve.ts'
import { viewTables } from './router/tables.ts'

const all = (route: ResolvedRoute): ResolvedRoute[] => [route, ...route.children.flatMap(all)]
const routes = viewTables.flatMap(all)
const views = join(import.meta.dirname, '../views')
const sources = globSync('**/*.{ts,tsx}', { cwd: views, exclude: ['**/*.test.ts'] }).map((file) => ({
  file,
  source: readFileSync(join(views, file), 'utf8'),
}))

const pages = routes.flatMap(({ address, component }) => (component ? [{ address, component }] : []))
test.each(pages)(
  '$address leads to a screen, with the permissions of what it shows',
  async ({ component }) => {
    expect(await component()).toMatchObject({ default: expect.anything() })
  },
)

test('a route that is about another resource than its screens show does not open', async () => {
  const made = screens(UserGroup, { list: {} })
  const { children } = resourceRoutes({
    path: 'groups',
    title: 'userGroups',
    singular: 'userGroup',
    about: 'assets.label',
    screens: () => Promise.resolve({ default: made }),
  })
  await expect(children?.[0]?.component?.()).rejects.toThrow(
    'about assets.label, its screens about users.usergroup',
  )
})

test('every address a screen leads to is that of a screen', () => {
  const known = routes.map(({ address }) => address)
  const isThere = (address: string) =>
    known.some((one) => new RegExp(`^${one.replaceAll(/:\w+/g, '[^/]+')}$`).test(address))
  const lost = sources.flatMap(({ file, source }) =>
    [...source.matchAll(/(["'`])(\/(?:console|audit|workbench|tickets|settings|profile)\/.*?)\1/g)]
      .map(([, , address = '']) => address)
      .filter((address) => !isThere(address.replaceAll(/\$\{[^}]*\}/g, 'x').replace(/[?#].*$/, '')))
      .map((address) => `${file} leads to ${address}`),
  )
  expect(lost).toEqual([])
})

test('an action that makes a declared call on its row is called as the call is', () => {
  const byHand = /call: \(\[\w+\]\) =>\s+\w+ && call\(/
  expect(sources.filter(({ source }) => byHand.test(source)).map(({ file }) => file)).toEqual([])
})
