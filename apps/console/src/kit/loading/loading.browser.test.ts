import { Asset } from '@sallyport/contract/resources/assets'
import { UserGroup } from '@sallyport/contract/resources/users'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { hostId, mayChange, serveHosts } from '../../testing/form-rows.ts'

const asset = {
  id: hostId,
  name: 'web-1',
  platform: { id: 1, name: 'Linux' },
  nodes: [],
  labels: [],
  protocols: [],
}
const at = consolePage((fixture) => {
  mayChange(fixture)
  serveRows(fixture, UserGroup, [])
  serveHosts(fixture)
  serveRows(fixture, Asset, [asset])
  fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({ body: [] }))
})

const comment = () => at.page.getByLabel('Comment')
const menu = () => at.page.getByRole('navigation', { name: 'Main menu' })

async function toAssets(): Promise<void> {
  const link = menu().locator('a[href^="/ui/console/assets/assets"]')
  if (!(await link.isVisible())) await menu().getByRole('button', { name: 'Assets' }).click()
  await link.click()
}

/** A form with something typed in it. */
async function typeIn(address: string): Promise<void> {
  await at.open(address)
  await comment().fill('An hour of work')
}

/** Code of this name is not there any more, as after an upgrade. */
const isGone = (name: string) =>
  at.page.route(new RegExp(`/assets/${name}[^/]*\\.js$`, 'u'), (route) =>
    route.fulfill({ status: 404, body: '' }),
  )

test('without a network the question before typed work is lost is asked as ever', async () => {
  const dialog = at.page.waitForResponse(/\/assets\/ask-dialog/u)
  await typeIn('/ui/console/users/groups/create')
  await (await dialog).finished()
  await at.page.context().setOffline(true)
  await toAssets()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  expect(await comment().inputValue()).toBe('An hour of work')
})

test('where the question itself cannot be loaded the browser asks it, and nothing typed is lost', async () => {
  await isGone('ask-dialog')
  await typeIn('/ui/console/users/groups/create')
  const asked: string[] = []
  at.page.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.dismiss()
  })
  await toAssets()
  await expect.poll(() => asked).toHaveLength(1)
  expect(asked[0]).toContain('not saved yet')
  expect(await comment().inputValue()).toBe('An hour of work')
})

test('a part of a form that cannot be loaded says so in its place, and the rest of the form stays', async () => {
  await isGone('asset-labels')
  await typeIn('/ui/console/assets/hosts/create')
  await at.page.getByText('Sallyport was upgraded').waitFor()
  expect(await comment().inputValue()).toBe('An hour of work')
  await at.button('Load again').click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  expect(await comment().inputValue()).toBe('An hour of work')
})

test('a part that could not be loaded without a network is loaded when it is back', async () => {
  await at.page.route(/\/assets\/asset-labels/u, (route) => route.abort())
  await at.page.route(/\/ui\/$/u, (route) => route.abort())
  await typeIn('/ui/console/assets/hosts/create')
  await at.page.getByText('The server cannot be reached').first().waitFor()
  await at.page.unrouteAll()
  await at.button('Try again').click()
  await at.page.getByRole('combobox', { name: 'Labels' }).waitFor()
  expect(await comment().inputValue()).toBe('An hour of work')
})

test('a page that cannot be loaded without a network says so, keeps the console, and comes with the network', async () => {
  await at.open('/ui/console/users/groups')
  await at.page.getByText('Nothing here yet').waitFor()
  await at.page.context().setOffline(true)
  await toAssets()
  await at.page.getByText('The server cannot be reached').waitFor()
  await at.button('Try again').click()
  await at.page.getByText('The server still cannot be reached').waitFor()
  await menu().waitFor()
  await at.page.context().setOffline(false)
  await at.button('Try again').click()
  await at.page.getByText('web-1').waitFor()
})

test('a page that is not there any more after an upgrade says that the console must be loaded again', async () => {
  await at.open('/ui/console/users/groups')
  await at.page.getByText('Nothing here yet').waitFor()
  await isGone('assets-')
  await toAssets()
  await at.page.getByText('Sallyport was upgraded').waitFor()
  expect(await at.page.getByText('dynamically imported').count()).toBe(0)
  await at.page.unrouteAll()
  await at.button('Load again').click()
  await at.page.getByText('web-1').waitFor()
})
