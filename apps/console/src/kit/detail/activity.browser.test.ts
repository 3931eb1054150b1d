import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { groupAddress, groupId, serveGroup } from '../../testing/form-rows.ts'

const at = consolePage((fixture) => fixture.profile.perms.push('audits.view_activitylog'))
const changes = '/api/v1/audits/operate-logs/9d1c0000-0000-4000-8000-000000000001/'

test('what happened to a row is told in sentences, the last first, with what each change changed', async () => {
  serveGroup(at.fixture)
  const content = 'Ann(ann) changed the user group Operators'
  at.fixture.answers.set('GET /api/v1/audits/activities/', ({ query }) => ({
    body: [
      {
        id: '1',
        timestamp: '2030-05-10 12:00:00',
        content,
        detail_url: `${changes}?type=action_detail`,
        r_type: 'O',
      },
      {
        id: '2',
        timestamp: '2030-05-09 12:00:00',
        content: `Asked about ${query.get('resource_id')}`,
        detail_url: 'https://elsewhere.example.com/',
        r_type: 'T',
      },
    ],
  }))
  at.fixture.answers.set(`GET ${changes}`, () => ({
    body: { diff: [{ field: 'Comment', before: 'Old', after: 'New' }] },
  }))
  await at.open(groupAddress)
  await at.page.getByRole('tab', { name: 'Activity' }).click()
  const timeline = at.page.getByRole('region', { name: 'Activity - Last 30' })
  await timeline.getByText(`Asked about ${groupId}`).waitFor()
  expect(await timeline.getByRole('listitem').nth(1).textContent()).toContain(content)
  // A link that leads out of this site is not offered.
  expect(await timeline.getByRole('button').count()).toBe(1)
  await timeline.getByRole('button', { name: 'Detail' }).click()
  const dialog = at.page.getByRole('dialog', { name: content })
  await dialog.getByRole('row', { name: 'Comment Old New' }).waitFor()
})

test('the log of a task that concerned a row opens in a window of its own', async () => {
  serveGroup(at.fixture)
  const log = '/core/ops/celery/task/9d1c0000-0000-4000-8000-000000000001/log/'
  at.fixture.answers.set('GET /api/v1/audits/activities/', () => ({
    body: [{ id: '1', timestamp: '2030-05-10 12:00:00', content: 'Tested', detail_url: log, r_type: 'T' }],
  }))
  await at.open(groupAddress)
  await at.page.getByRole('tab', { name: 'Activity' }).click()
  const opened = at.page.waitForEvent('popup')
  await at.page
    .getByRole('region', { name: 'Activity - Last 30' })
    .getByRole('button', { name: 'Detail' })
    .click()
  const window = await opened
  await window.waitForURL(`**${log}`)
})

test('the tab about what happened is not there without the right to see it', async () => {
  at.fixture.profile.perms = at.fixture.profile.perms.filter((name) => name !== 'audits.view_activitylog')
  serveGroup(at.fixture)
  await at.open(groupAddress)
  await at.page.getByRole('tab').first().waitFor()
  expect(await at.page.getByRole('tab', { name: 'Activity' }).count()).toBe(0)
})
