import { Node } from '@sallyport/contract/resources/nodes'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { metadataOf } from '@sallyport/contract/resource/metadata'
import { beforeEach, expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { countDraws } from '../../testing/count-draws.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import {
  groupAddress,
  groupId,
  hostId,
  mayChange,
  serveGroup,
  serveHosts,
  serveProfile,
} from '../../testing/form-rows.ts'
import type { Row } from '../api/resource.ts'

const userId = '7d1c0000-0000-4000-8000-000000000009'
const groupPath = `/api/v1/users/groups/${groupId}/`

const at = consolePage(mayChange)
let group: Row
beforeEach(() => {
  group = serveGroup(at.fixture)
})
const comment = () => at.page.getByLabel('Comment')

test('what somebody else changed meanwhile is not written back', async () => {
  await at.open(groupAddress)
  await at.page.getByRole('heading', { name: 'User group: Operators' }).waitFor()
  group['comment'] = 'Changed while the page was in view'
  await at.button('Update').click()
  await expect.poll(() => comment().inputValue()).toBe('Changed while the page was in view')

  group['comment'] = 'Changed while the form was open'
  await at.page.getByLabel('Name').fill('Night operators')
  await at.button('Submit').click()
  await at.page.getByText('was saved').waitFor()
  expect(at.sentTo('PUT', groupPath)).toMatchObject({
    name: 'Night operators',
    comment: 'Changed while the form was open',
  })
})

test('two people change the same field: both values are shown, and one of them chosen', async () => {
  await at.open(`${groupAddress}/update`)
  await comment().fill('Mine')
  await at.page.getByLabel('Name').fill('Night operators')
  group['comment'] = 'Theirs, typed meanwhile'
  group['name'] = 'Day operators'
  await at.button('Submit').click()
  const contested = (name: string) => at.page.locator(`[data-field=${name}]`)
  await contested('comment').getByText('Theirs, typed meanwhile').waitFor()
  await contested('comment').getByRole('definition').getByText('Mine', { exact: true }).waitFor()
  expect(at.sentTo('PUT', groupPath)).toBeUndefined()

  await contested('comment').getByRole('button', { name: 'Keep mine' }).click()
  await contested('name').getByRole('button', { name: 'Take theirs' }).click()
  expect(await at.page.getByLabel('Name').inputValue()).toBe('Day operators')
  await at.button('Submit').click()
  await at.page.getByText('was saved').waitFor()
  expect(at.sentTo('PUT', groupPath)).toMatchObject({ name: 'Day operators', comment: 'Mine' })
})

/** The group with its versions, as the server tells them; `meanwhile` is done just before a change arrives. */
function serveVersions(meanwhile: () => void) {
  const version = () => `"${JSON.stringify(group).length}${String(group['comment'])}${String(group['name'])}"`
  at.fixture.answers.set(`GET ${groupPath}`, () => ({ body: group, headers: { etag: version() } }))
  at.fixture.answers.set(`PUT ${groupPath}`, ({ body, headers }) => {
    meanwhile()
    return headers['if-match'] === version()
      ? { body: Object.assign(group, body) }
      : { status: 409, body: { code: 'changed_meanwhile', detail: 'Somebody was quicker', current: group } }
  })
}

test('somebody who saves between the last reading and the saving of a form is not written over', async () => {
  const theirs = ['Theirs, in between']
  serveVersions(() => Object.assign(group, { comment: theirs.shift() ?? group['comment'] }))
  await at.open(`${groupAddress}/update`)
  await comment().fill('Mine')
  await at.button('Submit').click()
  const contested = at.page.locator('[data-field=comment]')
  await contested.getByText('Theirs, in between').waitFor()
  expect(await comment().inputValue()).toBe('Mine')
  await contested.getByRole('button', { name: 'Keep mine' }).click()
  await at.button('Submit').click()
  await at.page.getByText('was saved').waitFor()
  expect(group).toMatchObject({ name: 'Operators', comment: 'Mine' })
})

test('who changes other fields than somebody quicker loses neither their change nor a word', async () => {
  const names = ['Day operators']
  serveVersions(() => Object.assign(group, { name: names.shift() ?? group['name'] }))
  await at.open(`${groupAddress}/update`)
  await comment().fill('Mine')
  await at.button('Submit').click()
  await at.page.getByText('was saved').waitFor()
  expect(group).toMatchObject({ name: 'Day operators', comment: 'Mine' })
})

test('a row that never rests is not saved over: the form says so and keeps what was typed', async () => {
  let changes = 0
  serveVersions(() => Object.assign(group, { name: `Operators ${(changes += 1)}` }))
  await at.open(`${groupAddress}/update`)
  await comment().fill('Mine')
  await at.button('Submit').click()
  await at.page.getByText('Somebody was quicker').waitFor()
  expect(changes).toBe(3)
  expect(await comment().inputValue()).toBe('Mine')
})

test('a form that stays open after saving is clean again and keeps no secret', async () => {
  at.fixture.settings.XPACK_LICENSE_IS_VALID = false
  const user = { id: userId, name: 'Ben', username: 'ben', email: 'ben@example.com' }
  serveRows(at.fixture, User, [{ ...user, source: { value: 'local', label: 'Local' }, is_active: true }])
  await at.open(`/ui/console/users/users/${userId}/update`)
  await at.page.getByLabel('Name', { exact: true }).fill('Ben the Second')
  await at.page.getByText('Update password').click()
  await at.page.getByLabel('Password', { exact: true }).fill('Correct horse')
  await at.button('Save and continue').click()
  await at.page.getByText('was saved').waitFor()
  expect(at.sentTo('PUT', `/api/v1/users/users/${userId}/`)).toMatchObject({ password: 'Correct horse' })
  await expect.poll(() => at.button('Reset').isDisabled()).toBe(true)
  expect(await at.page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ben the Second')
  expect(await at.page.getByLabel('Password', { exact: true }).count()).toBe(0)
  await at.page.getByText('Update password').click()
  expect(await at.page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
  await at.button('Reset').click()

  await comment().fill('Only this')
  await at.button('Save and continue').click()
  await expect
    .poll(() => at.sentTo('PUT', `/api/v1/users/users/${userId}/`))
    .toMatchObject({ comment: 'Only this' })
  expect(at.sentTo('PUT', `/api/v1/users/users/${userId}/`)).not.toHaveProperty('password')
})

test('after "Save and add another" the form is empty and can be left without a question', async () => {
  await at.open('/ui/console/users/groups/create')
  await at.page.getByLabel('Name').fill('First')
  await at.button('Save and add another').click()
  await at.page.getByText('You can add another one').waitFor()
  await expect.poll(() => at.page.getByLabel('Name').inputValue()).toBe('')
  const isBegun = () => at.page.getByLabel('Name').evaluate((element) => element === document.activeElement)
  await expect.poll(isBegun).toBe(true)
  await at.page.getByLabel('Name').fill('Second')
  await at.button('Save and add another').click()
  await expect.poll(() => at.page.getByLabel('Name').inputValue()).toBe('')
  // As long as an error of a field that is left waits to be shown, and longer.
  await at.page.waitForTimeout(400)
  expect(await at.page.getByText('This field is required').count()).toBe(0)
  await at.page.getByRole('link', { name: 'Users', exact: true }).first().click()
  await at.page.waitForURL(/\/users\/users/u)
})

test('ten keys in a form of 30 fields draw at most ten rows', async () => {
  const metadata = metadataOf(UserGroup, 'en', 'list')
  const many = Object.fromEntries(
    Array.from({ length: 28 }, (_, index) => [
      `part_${index}`,
      { type: 'string', label: `Part ${index}`, max_length: 99 },
    ]),
  )
  at.fixture.answers.set('OPTIONS /api/v1/users/groups/', () => ({
    body: {
      ...metadata,
      actions: {
        ...metadata.actions,
        POST: { ...metadata.actions.POST, comment: { type: 'nested object', children: many } },
      },
    },
  }))
  const draws = await countDraws(at.page, '[data-field]')
  await at.open('/ui/console/users/groups/create')
  await at.page.getByLabel('Part 27').waitFor()
  expect(await at.page.locator('[data-field]').count()).toBe(30)
  await at.page.getByLabel('Name').focus()
  const before = await draws()
  await at.page.keyboard.type('Ten keys !')
  expect(await at.page.getByLabel('Name').inputValue()).toBe('Ten keys !')
  const drawn = (await draws()) - before
  expect(drawn).toBeGreaterThan(0)
  expect(drawn).toBeLessThanOrEqual(10)
})

test('a choice that is required is missed as soon as it is taken back', async () => {
  serveHosts(at.fixture)
  await at.open(`/ui/console/assets/hosts/${hostId}/update`)
  await at.page.locator('[data-field=nodes]').getByText('Default').waitFor()
  await at.page.getByLabel('Nodes').focus()
  await at.page.keyboard.press('Backspace')
  await at.page.locator('[data-field=nodes]').getByText('This field is required').waitFor()
})

test('the profile sends only what was changed', async () => {
  serveProfile(at.fixture)
  await at.open('/ui/profile/setting')
  await at.page.getByLabel('WeChat').fill('ann-w')
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PATCH', '/api/v1/users/profile/')).toEqual({ wechat: 'ann-w' })
  expect(await at.page.getByLabel('Username').isDisabled()).toBe(true)
  await expect.poll(() => at.button('Reset').isDisabled()).toBe(true)
})

test('what the server wants confirmed first is confirmed and then saved, with all that was typed', async () => {
  serveProfile(at.fixture)
  at.fixture.profile['can_public_key_auth'] = true
  let isConfirmed = false
  at.fixture.answers.set('PUT /api/v1/users/profile/public-key/', () =>
    isConfirmed ? { body: {} } : { status: 400, body: { code: 'password', error: 'Confirm first' } },
  )
  at.fixture.answers.set('GET /api/v1/authentication/confirm/', () => ({
    body: { confirm_type: 'password', content: [] },
  }))
  at.fixture.answers.set('POST /api/v1/authentication/confirm/', () => {
    isConfirmed = true
    return { body: {} }
  })
  await at.open('/ui/profile/setting?activeTab=SSHUpdate')
  await at.page.getByLabel('SSH public key').fill('ssh-ed25519 AAAA ann')
  await at.button('Submit').click()
  const proof = at.page.getByRole('dialog', { name: 'Verify Current User' })
  await proof.getByLabel('Password').fill('correct horse')
  await proof.getByRole('button', { name: 'Confirm' }).click()
  await at.page.getByText('Saved successfully').waitFor()
  expect(at.sentTo('PUT', '/api/v1/users/profile/public-key/')).toEqual({
    public_key: 'ssh-ed25519 AAAA ann',
  })
  expect(await at.page.getByLabel('SSH public key').inputValue()).toBe('')
})

test('a field that is empty again after saving is not said to be missed', async () => {
  serveProfile(at.fixture)
  at.fixture.profile['can_public_key_auth'] = true
  at.fixture.answers.set('PUT /api/v1/users/profile/public-key/', () => ({ body: {} }))
  await at.page.clock.install()
  await at.open('/ui/profile/setting?activeTab=SSHUpdate')
  const key = at.page.getByLabel('SSH public key')
  await key.fill('ssh-ed25519 AAAA ann')
  // However long saving takes here, it takes less than what is checked of a field that was left waits for.
  await at.page.clock.pauseAt(Date.now() + 60_000)
  await at.button('Submit').click()
  await at.page.getByText('Saved successfully').waitFor()
  await expect.poll(() => key.inputValue()).toBe('')
  await at.page.clock.runFor(1000)
  expect(await at.page.getByText('This field is required').count()).toBe(0)
})

test('a node that does not exist yet is named by who may make nodes, and sent by its name', async () => {
  at.fixture.profile.perms.push('assets.add_node')
  serveHosts(at.fixture)
  serveRows(at.fixture, Node, [{ id: hostId, name: 'Default', full_value: '/Default' }])
  await at.open(`/ui/console/assets/hosts/${hostId}/update`)
  const nodes = at.page.locator('[data-field=nodes]')
  await nodes.getByText('Default').waitFor()
  await at.page.getByLabel('Nodes').fill('Berlin')
  await at.page.getByLabel('Nodes').press('Enter')
  await nodes.getByTitle('Berlin').waitFor()
  await at.page.getByLabel('Comment').fill('Moved')
  await at.button('Submit').click()
  await at.page.getByText('was saved').waitFor()
  expect(at.sentTo('PUT', `/api/v1/assets/hosts/${hostId}/`)).toMatchObject({
    nodes: [{ pk: hostId }, { name: 'Berlin' }],
  })
})
