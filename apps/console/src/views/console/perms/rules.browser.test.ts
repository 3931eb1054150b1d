import { CommandFilterAcl, CommandGroup } from '@sallyport/contract/resources/command-filters'
import { LoginAssetAcl } from '@sallyport/contract/resources/login-asset-acls'
import { User } from '@sallyport/contract/resources/users'
import { beforeEach, expect, test } from 'vitest'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const at = consolePage((fixture) => {
  const all = ['loginassetacl', 'commandfilteracl', 'commandgroup'].flatMap((name) =>
    ['view', 'add', 'change', 'delete'].map((verb) => `acls.${verb}_${name}`),
  )
  fixture.profile.perms = [...fixture.profile.perms, ...all]
})

const ann = { id: '7d1c0000-0000-4000-8000-0000000000a1', name: 'Ann', username: 'ann' }
const group = {
  id: '7d1c0000-0000-4000-8000-0000000000c1',
  name: 'danger',
  type: { value: 'command', label: 'Command' },
  content: 'rm -rf\nreboot',
  ignore_case: true,
  comment: '',
}
beforeEach(() => {
  serveRows(at.fixture, User, [ann])
  serveRows(at.fixture, LoginAssetAcl, [])
  serveRows(at.fixture, CommandFilterAcl, [])
  serveRows(at.fixture, CommandGroup, [group])
})

const everything = {
  users: { username_group: ['*'] },
  assets: { name_group: ['*'], address_group: ['*'] },
  accounts: { username_group: ['*'] },
}

/** What rejects everybody everywhere is asked about first. */
async function submitForAll(): Promise<void> {
  await at.button('Submit').click()
  const question = at.page.getByRole('dialog').filter({ hasText: /rejects .* every asset/u })
  await question.getByRole('button', { name: 'Submit' }).click()
}

test('a rule that would reject everybody everywhere is asked about, and not sent unless it is meant', async () => {
  await at.open('/ui/console/perms/host-acls/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Nobody')
  await at.button('Submit').click()
  const question = at.page.getByRole('dialog').filter({ hasText: 'This rule rejects everybody' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'detached' })
  expect(at.sentTo('POST', '/api/v1/acls/login-asset-acls/')).toBeUndefined()
  expect(await at.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nobody')
  await submitForAll()
  await expect.poll(() => at.sentTo('POST', '/api/v1/acls/login-asset-acls/')).toMatchObject(everything)
})

test('a rule is about everything as it begins, and asks for reviewers only where it asks them', async () => {
  await at.open('/ui/console/perms/host-acls/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Nobody')
  expect(await at.page.getByLabel('Reviewers').count()).toBe(0)
  for (const action of ['Warn', 'Notify', 'Review']) {
    await at.page.getByRole('radio', { name: action }).check()
    await at.page.getByRole('combobox', { name: 'Reviewers' }).waitFor()
  }
  await at.button('Submit').click()
  await at.page.locator('[aria-invalid=true]').first().waitFor()
  expect(at.sentTo('POST', '/api/v1/acls/login-asset-acls/')).toBeUndefined()
  await at.page.getByRole('radio', { name: 'Reject' }).check()
  await submitForAll()
  await expect
    .poll(() => at.sentTo('POST', '/api/v1/acls/login-asset-acls/'))
    .toMatchObject({ name: 'Nobody', ...everything, action: 'reject' })
  expect(at.sentTo('POST', '/api/v1/acls/login-asset-acls/')).not.toHaveProperty('reviewers')
})

test('names in a rule take the place of everything; only commas and new lines are between them, typed or pasted', async () => {
  await at.open('/ui/console/perms/host-acls/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Web')
  const assets = at.page.locator('[data-field="assets.name_group"]')
  await assets.getByRole('combobox').click()
  await at.page.keyboard.type('Web server 01, Web server 02,')
  await at.page.keyboard.insertText('数据库，缓存、')
  await assets.getByRole('combobox').evaluate((input) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', 'Old box\nWeb server 01\n')
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  })
  await at.page.keyboard.insertText('Old box Web server 01 ')
  await at.button('Submit').click()
  await expect
    .poll(() => at.sentTo('POST', '/api/v1/acls/login-asset-acls/'))
    .toMatchObject({
      assets: { name_group: ['Web server 01', 'Web server 02', '数据库', '缓存', 'Old box'] },
    })
})

test('the priority of a rule is a number, and no rule is without one', async () => {
  const posted = () => at.sentTo('POST', '/api/v1/acls/login-asset-acls/')
  await at.open('/ui/console/perms/host-acls/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Web')
  const priority = at.page.locator('[data-field=priority]')
  for (const [typed, told] of [
    ['1O0', 'Enter a whole number, in digits alone.'],
    ['', 'This field is required'],
  ] as const) {
    await priority.locator('input').fill(typed)
    await at.button('Submit').click()
    await priority.getByText(told).waitFor()
    expect(await priority.locator('input').inputValue()).toBe(typed)
  }
  expect(posted()).toBeUndefined()
  await priority.locator('input').fill('100')
  await submitForAll()
  await expect.poll(posted).toMatchObject({ priority: 100 })
})

test('without a licence there are no asset login rules in the menu, and command filters are', async () => {
  at.fixture.settings.XPACK_LICENSE_IS_VALID = false
  await at.open('/ui/console/perms/cmd-acls')
  await at.page.getByRole('heading', { name: 'Command filters' }).waitFor()
  expect(await at.page.getByRole('link', { name: 'Asset login rules' }).count()).toBe(0)
})

test('filters and groups are tabs of one page, and a new group leads back to its tab', async () => {
  await at.open('/ui/console/perms/cmd-acls')
  await at.page.getByRole('tab', { name: 'Command groups' }).click()
  await at.page.getByText('rm -rf, reboot').waitFor()
  await at.button('Create').click()
  await at.page.waitForURL(/\/cmd-groups\/create/u)
  await at.page.getByRole('radio', { name: 'Regex' }).check()
  await at.page.getByPlaceholder('rm.*|reboot|shutdown').waitFor()
  await at.page.getByRole('radio', { name: 'Command' }).check()
  await at.page.getByLabel('Name', { exact: true }).fill('more')
  await at.page.getByLabel('Content', { exact: true }).fill('halt\npoweroff')
  await at.button('Submit').click()
  await at.page.waitForURL(/\/cmd-acls\?activeTab=CommandGroup/u)
  expect(at.sentTo('POST', '/api/v1/acls/command-groups/')).toMatchObject({
    name: 'more',
    content: 'halt\npoweroff',
  })
})

test('the page of command groups shows its own tab: opened directly, and after one was deleted', async () => {
  const shows = async (title: string) => {
    await at.page.getByRole('heading', { name: title, exact: true }).waitFor()
    await at.page.getByRole('tab', { name: title, selected: true }).waitFor()
  }
  // What was used last is another.
  await at.open('/ui/console/perms/cmd-acls')
  await at.page.getByRole('tab', { name: 'Command groups' }).click()
  await shows('Command groups')
  await at.page.getByRole('tab', { name: 'Command filters' }).click()
  await shows('Command filters')
  await at.open('/ui/console/perms/cmd-groups')
  await shows('Command groups')
  await at.page.getByRole('link', { name: 'danger' }).click()
  await at.button('Delete').click()
  await at.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await at.page.waitForURL(/\/cmd-groups(\?|$)/u)
  await shows('Command groups')
  await at.page.getByText('Nothing here yet').waitFor()
})

test('a filter names its groups, one at least', async () => {
  await at.open('/ui/console/perms/cmd-acls/create')
  await at.page.getByLabel('Name', { exact: true }).fill('Guard')
  await at.button('Submit').click()
  await at.page.locator('[data-field=command_groups]').getByRole('alert').waitFor()
  expect(at.sentTo('POST', '/api/v1/acls/command-filter-acls/')).toBeUndefined()
  await at.page.getByRole('combobox', { name: 'Command groups' }).click()
  await at.page.locator('.ant-select-item-option', { hasText: 'danger' }).click()
  await at.page.keyboard.press('Escape')
  await submitForAll()
  await expect
    .poll(() => at.sentTo('POST', '/api/v1/acls/command-filter-acls/'))
    .toMatchObject({ name: 'Guard', ...everything, command_groups: [{ pk: group.id }], priority: 50 })
})

test('where a rule asks nobody, its page says so', async () => {
  const id = '7d1c0000-0000-4000-8000-0000000000f1'
  const action = { value: 'reject', label: 'Reject' }
  const filter = { id, name: 'Guard', action, reviewers: [], command_groups: [group], is_active: true }
  serveRows(at.fixture, CommandFilterAcl, [filter])
  await at.open(`/ui/console/perms/cmd-acls/${id}`)
  const reviewers = at.page.locator('dl > div', { hasText: 'Reviewers' })
  await expect.poll(() => reviewers.locator('dd').textContent()).toBe('-')
})
