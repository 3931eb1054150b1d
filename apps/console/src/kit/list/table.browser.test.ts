import { UserGroup } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import type { Row } from '../api/resource.ts'

const list = '/api/v1/users/groups/'
const idOf = (index: number) => `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}`
const nameAt = (index: number) => `Group ${String(index).padStart(2, '0')}`

const at = consolePage((fixture) => {
  fixture.profile.perms.push('users.add_usergroup', 'users.change_usergroup', 'users.delete_usergroup')
  const rows: Row[] = Array.from({ length: 95 }, (_, index) => ({
    id: idOf(index),
    name: nameAt(index),
    users: [],
    users_amount: 0,
    comment: `Shift ${index}`,
  }))
  serveRows(fixture, UserGroup, rows)
  fixture.answers.set(`GET ${list}`, ({ query }) => {
    const size = Number(query.get('size'))
    const from = (Number(query.get('page')) - 1) * size
    const sorted = query.get('direction') === 'desc' ? rows.toReversed() : rows
    return { body: { payload: { content: sorted.slice(from, from + size), totalElements: rows.length } } }
  })
})
const open = (which = '?table') => at.open(`/ui/src/testing/samples/index.html${which}`)
const row = (index: number) => at.page.getByRole('row').filter({ hasText: nameAt(index) })
const asked = () => {
  const request = at.fixture.requests.findLast(({ method, path }) => method === 'GET' && path === list)
  const { page, size, sort, direction } = Object.fromEntries(request?.query ?? [])
  return { page, size, sort, direction }
}

test('a data table asks for its pages by number and size, and takes a page that is typed', async () => {
  await open()
  await row(9).waitFor()
  expect(asked()).toEqual({ page: '1', size: '10' })
  await at.page.getByText('Total 95').waitFor()
  const sizes = at.page.getByLabel('Rows per page')
  expect(
    await sizes.locator('option').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
  ).toEqual(['10', '20', '30', '40', '50'])
  await at.page.getByLabel('Go to page').fill('7')
  await at.page.getByLabel('Go to page').press('Enter')
  await row(60).waitFor()
  expect(asked()).toEqual({ page: '7', size: '10' })
  await at.page.getByLabel('Go to page').fill('4000')
  await at.page.getByLabel('Go to page').press('Enter')
  await row(94).waitFor()
  await sizes.selectOption('50')
  await row(49).waitFor()
  expect(asked()).toEqual({ page: '1', size: '50' })
  await at.page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expect.poll(asked).toEqual({ page: '1', size: '50', sort: 'name', direction: 'asc' })
})

test('the name of a row is a link for who may view rows of the kind', async () => {
  const link = row(0).getByRole('link', { name: nameAt(0) })
  await open('?table=screens')
  await link.waitFor()
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => name !== 'users.view_usergroup')
  await open('?table=screens')
  await row(0).waitFor()
  expect(await link.count()).toBe(0)
})

test('a data table without pages shows 999 rows at most and no pager', async () => {
  await open('?table=all')
  await row(94).waitFor()
  expect(asked()).toEqual({ page: '1', size: '999' })
  expect(await at.page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0)
})

test('rows of a data table are made, changed and viewed in dialogs over it', async () => {
  await open()
  await at.button('Create').click()
  const dialog = at.page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Night shift')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  // Else the next is typed into the one that goes.
  await dialog.waitFor({ state: 'detached' })
  await row(0).waitFor()
  await at.page.getByRole('row').filter({ hasText: 'Night shift' }).waitFor()
  expect(at.sentTo('POST', list)).toMatchObject({ name: 'Night shift' })

  await row(1).getByRole('button', { name: 'Update' }).click()
  await dialog.getByLabel('Comment').fill('Changed in a dialog')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await dialog.waitFor({ state: 'detached' })
  await row(1).filter({ hasText: 'Changed in a dialog' }).waitFor()
  expect(at.sentTo('PUT', `${list}${idOf(1)}/`)).toMatchObject({ comment: 'Changed in a dialog' })

  await row(2).hover()
  await row(2).getByRole('button', { name: 'More' }).click()
  await at.page.getByRole('menuitem', { name: 'Detail' }).click()
  await dialog.getByText('Shift 2', { exact: true }).waitFor()
})

test('rows of a data table are deleted at one address, their ids joined by commas', async () => {
  const both = `${list}${idOf(3)},${idOf(4)}/`
  at.fixture.answers.set(`DELETE ${both}`, () => ({ status: 204 }))
  await open()
  await at.page.getByRole('checkbox', { name: `Select ${nameAt(3)}` }).check()
  await at.page.getByRole('checkbox', { name: `Select ${nameAt(4)}` }).check()
  await at.page.getByRole('button', { name: 'Actions (2)' }).click()
  await at.page.getByRole('menuitem', { name: 'Delete selected' }).click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await at.page.getByText('Deleted successfully').waitFor()
  expect(at.fixture.requests.some(({ method, path }) => method === 'DELETE' && path === both)).toBe(true)
})
