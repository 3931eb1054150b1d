import { Session } from '@sallyport/contract/resources/terminal'
import { expect, test } from 'vitest'
import { consolePage } from '../testing/console-page.ts'
import { serveRows } from '../testing/fixture-rows.ts'
import { serveGroup } from '../testing/form-rows.ts'

const at = consolePage((fixture) => {
  serveGroup(fixture)
  serveRows(fixture, Session, [])
})

/** A file of texts is called as its catalogue is, with the eight letters of its version. */
const catalogue = /\/(every-page|sign-in|console|audit|workbench|tickets|settings|profile)-[\w-]{8}\.js$/u

test('the texts of a view come once, with its first screen, and no others', async () => {
  const fetched: string[] = []
  at.page.on('request', (request) => {
    const name = catalogue.exec(request.url())?.[1]
    if (name !== undefined) fetched.push(name)
  })
  const views = at.page.getByRole('navigation', { name: 'Switch view' })
  await at.open('/ui/console/users/groups')
  await at.page.getByRole('link', { name: 'Operators' }).waitFor()
  expect(fetched.toSorted()).toEqual(['console', 'every-page'])
  await views.getByRole('link', { name: 'Audit' }).click()
  await at.page.getByRole('tab', { name: 'Online' }).waitFor()
  await views.getByRole('link', { name: 'Console' }).click()
  await at.page.waitForURL(/\/ui\/console\//u)
  expect(fetched.toSorted()).toEqual(['audit', 'console', 'every-page'])
})

test('who is not signed in fetches no texts of a view', async () => {
  const fetched: string[] = []
  at.fixture.isSignedIn = false
  at.page.on('request', (request) => fetched.push(catalogue.exec(request.url())?.[1] ?? ''))
  await at.open('/core/auth/login/')
  await at.page.getByLabel('Username').waitFor()
  await expect.poll(() => new Set(fetched.filter(Boolean))).toEqual(new Set(['every-page', 'sign-in']))
})
