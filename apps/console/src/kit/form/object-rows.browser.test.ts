import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { hostId, mayChange, serveAccounts, serveHosts } from '../../testing/form-rows.ts'

const at = consolePage(mayChange)

test('protocols are added, changed and removed in lines, and the server says what is wrong in which of them', async () => {
  serveHosts(at.fixture)
  await at.open(`/ui/console/assets/hosts/${hostId}/update`)
  const lines = at.page.locator('[data-field=protocols] [data-column=port] input')
  await at.button('Remove ssh').waitFor()
  expect(await lines.count()).toBe(1)
  await at.button('Add protocol').click()
  await lines.nth(1).fill('70')
  at.fixture.answers.set(`PUT /api/v1/assets/hosts/${hostId}/`, () => ({
    status: 400,
    body: { protocols: [{}, { port: ['This port is taken.'] }] },
  }))
  await at.button('Submit').click()
  await at.page.getByText('This port is taken.').waitFor()
  expect(at.sentTo('PUT', `/api/v1/assets/hosts/${hostId}/`)).toMatchObject({
    protocols: [
      { name: 'ssh', port: 22 },
      { name: 'sftp', port: 70 },
    ],
  })
  expect(await lines.nth(1).evaluate((element) => element.getAttribute('aria-invalid'))).toBe('true')
  await at.button('Remove sftp').click()
  await expect.poll(() => lines.count()).toBe(1)
  expect(await at.page.getByText('This port is taken.').count()).toBe(0)
  expect(await at.button('Remove ssh').isDisabled()).toBe(true)
})

test('accounts of a new host are added in a dialog, and the server says what is wrong with which of them', async () => {
  serveHosts(at.fixture)
  serveAccounts(at.fixture)
  await at.open('/ui/console/assets/hosts/create')
  await at.page.getByLabel('Name', { exact: true }).fill('db-1')
  await at.page.getByLabel('IP/Host').fill('192.0.2.7')
  await at.button('Add protocol').click()
  for (const name of ['root', 'deploy']) {
    await at.button('Add account').click()
    const dialog = at.page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  at.fixture.answers.set('POST /api/v1/assets/hosts/', () => ({
    status: 400,
    body: { accounts: [{}, { secret: ['Too short.'] }] },
  }))
  await at.button('Submit').click()
  await at.page
    .getByRole('row', { name: /deploy/u })
    .getByText('Too short.')
    .waitFor()
  expect(at.sentTo('POST', '/api/v1/assets/hosts/')).toMatchObject({
    name: 'db-1',
    accounts: [
      { name: 'root', username: 'root', privileged: true },
      { name: 'deploy', username: 'deploy' },
    ],
  })
  await at.button('Remove deploy').click()
  expect(await at.page.getByText('Too short.').count()).toBe(0)
  await at.page.getByRole('row', { name: /root/u }).waitFor()
})
