import { metadataOf } from '@sallyport/contract/resource/metadata'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { failed, mayChange, serveGroup, serveHosts } from '../../testing/form-rows.ts'
import { Mail } from '../../testing/samples/mail.ts'

const at = consolePage((fixture) => {
  mayChange(fixture)
  serveGroup(fixture)
})

test('a page whose form cannot be described says why and can be asked again', async () => {
  const listed = '/api/v1/users/groups/'
  const described = at.fixture.answers.get(`OPTIONS ${listed}`)
  at.fixture.answers.set(`OPTIONS ${listed}`, failed)
  await at.open('/ui/console/users/groups/create')
  await at.page.getByText('The books are closed').waitFor()
  if (described) at.fixture.answers.set(`OPTIONS ${listed}`, described)
  await at.button('Try again').click()
  await at.page.getByLabel('Name').waitFor()

  at.fixture.answers.set('OPTIONS /api/v1/users/profile/', failed)
  await at.open('/ui/profile/setting')
  await at.page.getByText('The books are closed').waitFor()
  at.fixture.answers.set('OPTIONS /api/v1/users/profile/', () => ({
    body: { actions: { GET: {} } },
  }))
  await at.button('Try again').click()
  await at.page.getByText('no permission for this operation').waitFor()
})

test('what is typed stays when the description of the next choice cannot be read', async () => {
  serveHosts(at.fixture)
  await at.open('/ui/console/assets/hosts/create')
  await at.page.getByLabel('Name', { exact: true }).fill('db-1')
  at.fixture.answers.set('OPTIONS /api/v1/assets/hosts/', failed)
  await at.page.getByLabel('Platform').click()
  await at.page.getByTitle('Windows').click()
  await at.page.getByText('The books are closed').waitFor()
  expect(await at.page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('db-1')
})

test('settings can be tried before they are saved, and only what was changed is saved', async () => {
  const saved = { host: 'mail.example.com', routes: [{ domain: 'example.com', port: 25 }] }
  const path = '/api/v1/settings/mail/'
  at.fixture.answers.set(`OPTIONS ${path}`, () => ({ body: metadataOf(Mail, 'en', 'detail') }))
  at.fixture.answers.set(`GET ${path}`, () => ({ body: saved }))
  at.fixture.answers.set(`PATCH ${path}`, ({ body }) => ({ body: Object.assign(saved, body) }))
  at.fixture.answers.set(`POST ${path}testing/`, () => ({ body: { msg: 'A letter is on its way' } }))
  await at.open('/ui/src/testing/samples/index.html')
  await at.page.getByLabel('key').fill('letmein')
  await at.button('Test connection').click()
  await at.page.getByText('A letter is on its way').waitFor()
  const route = { domain: 'example.com', port: 25 }
  expect(at.sentTo('POST', `${path}testing/`)).toEqual({
    host: 'mail.example.com',
    key: 'letmein',
    routes: [route],
  })
  at.fixture.answers.set(`POST ${path}testing/`, () => ({ status: 400, body: { host: ['Nobody answers.'] } }))
  await at.button('Test connection').click()
  await at.page.getByText('Nobody answers.').waitFor()

  await at.button('Add').click()
  await at.button('Submit').click()
  await at.page.getByText('This field is required').waitFor()
  expect(at.sentTo('PATCH', path)).toBeUndefined()
  await at.page.getByLabel('domain').nth(1).fill('example.org')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', path)).toEqual({ key: 'letmein', routes: [route, { domain: 'example.org' }] })
  expect(await at.page.getByLabel('key').inputValue()).toBe('')
  await expect.poll(() => at.button('Reset').isDisabled()).toBe(true)
})

test('a page of settings that cannot be read says why and can be asked again', async () => {
  at.fixture.answers.set('OPTIONS /api/v1/settings/mail/', () => ({ body: metadataOf(Mail, 'en', 'detail') }))
  at.fixture.answers.set('GET /api/v1/settings/mail/', failed)
  await at.open('/ui/src/testing/samples/index.html')
  await at.page.getByText('The books are closed').waitFor()
  at.fixture.answers.set('GET /api/v1/settings/mail/', () => ({
    body: { host: 'mail.example.com', routes: [] },
  }))
  await at.button('Try again').click()
  await expect.poll(() => at.page.getByLabel('host').inputValue()).toBe('mail.example.com')
})
