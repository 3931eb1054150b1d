import { User } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import type { Row } from '../api/resource.ts'

const idOf = (index: number) => `7d1c0000-0000-4000-8000-00000000001${index}`
const list = '/api/v1/users/users/'

let people: Row[]
const at = consolePage((fixture) => {
  fixture.profile.perms.push('users.change_user', 'users.delete_user')
  people = Array.from({ length: 7 }, (_, index) => ({
    id: idOf(index),
    name: `Person ${index}`,
    username: `person${index}`,
    source: { value: 'local', label: 'Local' },
    groups: [],
    is_active: true,
  }))
  serveRows(fixture, User, people)
  fixture.answers.set(`PATCH ${list}`, () => ({ body: people }))
  fixture.answers.set('POST /api/v1/terminal/sessions/online-amount/', () => ({ body: { count: 3 } }))
})

test('disabling a person asks first, by name and with the number of sessions that end, and nothing is done unless the answer is yes', async () => {
  await at.open(`/ui/console/users/users/${idOf(0)}`)
  const active = at.page.getByRole('switch', { name: 'Activate' })
  await active.click()
  const question = at.page.getByRole('dialog', { name: 'Disable' })
  await question.getByText('Disable Person 0?').waitFor()
  await question.getByText('Live sessions that end with it: 3').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await active.isChecked()).toBe(true)
  expect(at.sentTo('PATCH', `${list}${idOf(0)}/`)).toBeUndefined()

  await active.click()
  await question.getByRole('button', { name: 'Disable' }).click()
  await expect.poll(() => active.isChecked()).toBe(false)
  expect(at.sentTo('PATCH', `${list}${idOf(0)}/`)).toEqual({ is_active: false })
  await active.click()
  await expect.poll(() => active.isChecked()).toBe(true)
})

test('disabling many asks with their number and the first names', async () => {
  await at.open('/ui/console/users/users')
  await at.page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await at.button('Actions (7)').click()
  await at.page.getByRole('menuitem', { name: 'Disable selected' }).click()
  const names = [0, 1, 2, 3, 4].map((index) => `Person ${index}`).join(', ')
  await at.page.getByText(`Disable 7 rows: ${names} and 2 more?`).waitFor()
  expect(at.sentTo('PATCH', list)).toBeUndefined()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect.poll(() => at.sentTo('PATCH', list)).toHaveLength(7)
})

test('deleting a person, or many, asks with the number of sessions that end', async () => {
  await at.open(`/ui/console/users/users/${idOf(0)}`)
  await at.button('Delete').click()
  const question = at.page.getByRole('dialog', { name: 'Delete' })
  await question.getByText('Delete “Person 0”?').waitFor()
  await question.getByText('Live sessions that end with it: 3').waitFor()

  await at.open('/ui/console/users/users')
  await at.page.getByRole('checkbox', { name: 'Select all rows of this page' }).check()
  await at.button('Actions (7)').click()
  await at.page.getByRole('menuitem', { name: 'Delete selected' }).click()
  await question.getByText('Live sessions that end with it: 3').waitFor()
  expect(at.sentTo('POST', '/api/v1/terminal/sessions/online-amount/')).toEqual({
    users: people.map(({ id }) => id),
    here: false,
  })
})
