import { Asset } from '@sallyport/contract/resources/assets'
import { HostKey } from '@sallyport/contract/resources/host-keys'
import { expect, test } from 'vitest'
import type { Row } from '../../../kit/api/resource.ts'
import { consolePage } from '../../../testing/console-page.ts'
import { serveRows } from '../../../testing/fixture-rows.ts'

const assetId = '8d1c0000-0000-4000-8000-000000000001'
const asset = {
  id: assetId,
  name: 'web-1',
  platform: { id: 1, name: 'Linux' },
  category: { value: 'host', label: 'Host' },
  nodes: [],
  labels: [],
  protocols: [],
}
const states = { accepted: 'Accepted', pending: 'Waiting for a decision', refused: 'Refused' }
const state = (value: keyof typeof states) => ({ value, label: states[value] })
const hostKey = (at: number, of: keyof typeof states): Row => ({
  id: `8d1c0000-0000-4000-8000-00000000010${at}`,
  asset: { id: assetId, name: 'web-1' },
  address: '192.0.2.1:22',
  algorithm: 'ssh-ed25519',
  fingerprint: `SHA256:fingerprint-${at}`,
  state: state(of),
  date_created: '2026-11-20 08:00:00 +0000',
  updated_by: 'gateway-1',
})
const list = `/api/v1/${HostKey.path}/`
let keys: Row[] = []

const at = consolePage((fixture) => {
  fixture.profile.perms.push('terminal.view_hostkey', 'terminal.change_hostkey')
  keys = [hostKey(1, 'accepted'), hostKey(2, 'pending')]
  serveRows(fixture, Asset, [asset])
  serveRows(fixture, HostKey, keys)
  const served = fixture.answers.get(`GET ${list}`)
  fixture.answers.set(`GET ${list}`, (request) => {
    const wanted = request.query.get('state')
    const results = keys.filter((key) => !wanted || (key['state'] as Row)['value'] === wanted)
    return wanted ? { body: { count: results.length, results } } : (served?.(request) ?? {})
  })
  for (const [index, key] of keys.entries()) {
    fixture.answers.set(`POST ${list}${key.id}/accept/`, () => {
      for (const [other, row] of keys.entries())
        row['state'] = state(other === index ? 'accepted' : 'refused')
      return { body: key }
    })
    fixture.answers.set(`POST ${list}${key.id}/refuse/`, () => {
      key['state'] = state('refused')
      return { body: key }
    })
  }
})
const row = (fingerprint: string) => at.page.getByRole('row').filter({ hasText: fingerprint })
const choose = async (fingerprint: string, action: string) => {
  await row(fingerprint).hover()
  await row(fingerprint).getByRole('button', { name: action }).click()
}
const question = () => at.page.getByRole('dialog')

test('a changed host key that waits is told above the asset, and is accepted there after a question', async () => {
  await at.open(`/ui/console/assets/assets/${assetId}`)
  await at.page.getByText('This asset showed a changed host key').waitFor()
  await at.page.getByRole('link', { name: 'View host keys' }).click()
  await row('SHA256:fingerprint-2').getByText('Waiting for a decision').waitFor()
  expect(at.fixture.requests.findLast(({ path }) => path === list)?.query.get('asset')).toBe(assetId)
  await choose('SHA256:fingerprint-2', 'Accept key')
  await question().getByText('the key accepted before is refused').waitFor()
  await question().getByText('SHA256:fingerprint-2').waitFor()
  expect(at.sentTo('POST', `${list}${keys[1]?.id}/accept/`)).toBeUndefined()
  await question().getByRole('button', { name: 'Accept key' }).click()
  await row('SHA256:fingerprint-2').getByText('Accepted').waitFor()
  await row('SHA256:fingerprint-1').getByText('Refused').waitFor()
  await expect.poll(() => at.page.getByText('This asset showed a changed host key').count()).toBe(0)
})

test('refusing the accepted key says that nobody connects until another is accepted', async () => {
  await at.open(`/ui/console/assets/assets/${assetId}?activeTab=HostKeys`)
  await choose('SHA256:fingerprint-1', 'Refuse key')
  await question()
    .getByText('Connections to 192.0.2.1:22 are refused until another key is accepted.')
    .waitFor()
  await question().getByRole('button', { name: 'Refuse key' }).click()
  await row('SHA256:fingerprint-1').getByText('Refused').waitFor()
})

test('the list of assets names those with a changed host key, and leads to their keys', async () => {
  at.fixture.answers.set('GET /api/v1/assets/nodes/children/tree/', () => ({ body: [] }))
  await at.open('/ui/console/assets/assets')
  const notice = at.page.getByRole('status').filter({ hasText: 'Some assets showed a changed host key' })
  await notice.getByRole('link', { name: 'web-1' }).click()
  await row('SHA256:fingerprint-2').waitFor()
})

test('who may only see host keys decides nothing, and without that right there is no tab and no question for them', async () => {
  const { perms } = at.fixture.profile
  at.fixture.profile.perms = perms.filter((name) => name !== 'terminal.change_hostkey')
  await at.open(`/ui/console/assets/assets/${assetId}?activeTab=HostKeys`)
  await row('SHA256:fingerprint-2').waitFor()
  expect(await row('SHA256:fingerprint-2').getByRole('button').count()).toBe(0)
  at.fixture.profile.perms = perms.filter((name) => !name.endsWith('_hostkey'))
  const asked = at.fixture.requests.length
  await at.page.reload()
  await at.page.getByRole('tab', { name: 'Accounts' }).waitFor()
  expect(await at.page.getByRole('tab', { name: 'Host keys' }).count()).toBe(0)
  expect(at.fixture.requests.slice(asked).filter(({ path }) => path === list)).toEqual([])
})
