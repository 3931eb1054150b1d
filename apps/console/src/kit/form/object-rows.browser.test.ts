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

test('two accounts of a new host that are the same are told so, each at its own row', async () => {
  serveHosts(at.fixture)
  serveAccounts(at.fixture)
  await at.open('/ui/console/assets/hosts/create')
  await at.page.getByLabel('Name', { exact: true }).fill('db-1')
  await at.page.getByLabel('IP/Host').fill('192.0.2.7')
  await at.button('Add protocol').click()
  for (const name of ['root', 'root']) {
    await at.button('Add account').click()
    const dialog = at.page.getByRole('dialog', { name: 'Add account' })
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const twice = 'The fields username, asset, secret_type must make a unique set.'
  at.fixture.answers.set('POST /api/v1/assets/hosts/', () => ({
    status: 400,
    body: { accounts: [{}, { non_field_errors: [twice] }] },
  }))
  await at.button('Submit').click()
  const rows = at.page.getByRole('row', { name: /root/u })
  await rows.nth(1).getByText('The asset has an account of this name').waitFor()
  expect(await rows.nth(0).getByRole('alert').count()).toBe(0)
})

test('what is no number, or one out of its bounds, is refused where it is typed, and stays as it was typed', async () => {
  serveHosts(at.fixture)
  await at.open(`/ui/console/assets/hosts/${hostId}/update`)
  const protocols = at.page.locator('[data-field=protocols]')
  const port = protocols.locator('[data-column=port] input')
  for (const [typed, told] of [
    ['70000', 'At most 65535'],
    ['0', 'At least 1'],
    ['22.5', 'Enter a whole number, in digits alone.'],
    ['2O22', 'Enter a whole number, in digits alone.'],
    ['2.022', 'Enter a whole number, in digits alone.'],
    ['2,022', 'Enter a whole number, in digits alone.'],
    ['22 ports', 'Enter a whole number, in digits alone.'],
    ['', 'This field is required'],
  ] as const) {
    await port.fill(typed)
    await at.button('Submit').click()
    await protocols.getByText(told).waitFor()
    expect(await port.inputValue()).toBe(typed)
  }
  expect(at.sentTo('PUT', `/api/v1/assets/hosts/${hostId}/`)).toBeUndefined()
  // As an input method for Chinese or Japanese writes it.
  await port.fill('２０２２')
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('PUT', `/api/v1/assets/hosts/${hostId}/`))
    .toMatchObject({ protocols: [{ name: 'ssh', port: 2022 }] })
})
