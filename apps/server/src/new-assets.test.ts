/** Assets that are made are tested, and asked what machines they are, without anybody saying so. */
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestSystem } from './testing.ts'
import { hangUp, link, type Link, listenOn } from './domains/terminal/testing.ts'

const system = await startTestSystem({ work: true })
const admin = await system.admin()
const origin = await listenOn(system.http)
const soon = { timeout: 30_000, interval: 50 }
const boot = randomUUID()
const component = await system.component('gateway')
const gateway: Link = await link(component, origin, boot)
const alive = setInterval(() => gateway.report([], { boot_id: boot }), 1000)
gateway.report([], { boot_id: boot })

interface Target {
  at: number
  asset: { id: string; name: string }
  account: { username: string } | null
}
interface Batch {
  id: string
  facts: boolean
  targets: Target[]
}

/** What the gateway is told to try next. */
async function ordered(): Promise<Batch> {
  const id = await vi.waitFor(() => {
    const task = gateway.tasks.shift()
    expect(task).toMatchObject({ name: 'probe' })
    return task?.args ?? ''
  }, soon)
  const { body } = await component.post(`terminal/probe-batches/${id}/claim/`, {})
  return { ...(body as unknown as Omit<Batch, 'id'>), id }
}
const report = (batch: Batch, resultOf: (target: Target) => object) =>
  component.post(`terminal/probe-batches/${batch.id}/report/`, {
    results: batch.targets.map((target) => ({
      at: target.at,
      is_ok: true,
      reason: null,
      took_ms: 12,
      facts: null,
      ...resultOf(target),
    })),
    is_finished: true,
  })
const tasks = async () =>
  (await admin.get('ops/task-executions/?kind=assets.check-new')).body.map(({ status, summary }) => ({
    status: status?.['value'],
    summary,
  }))

afterEach(async () => {
  gateway.tasks.splice(0)
  await system.database.pool.query('delete from executions')
})

const account = { name: 'root', username: 'root', secret_type: 'password', secret: 'open sesame' }
const host = (name: string, more: object = {}) => ({
  name,
  address: '192.0.2.1',
  platform: 1,
  accounts: [account],
  ...more,
})

test('however many are made at once or one after the other, one task tests them and asks what they are', async () => {
  const made = [
    await admin.post('assets/hosts/', [host('one'), host('two')]),
    await admin.post('assets/hosts/', host('three')),
    await admin.post('assets/hosts/', host('off', { is_active: false })),
    // Of this platform it is switched off.
    await admin.post('assets/hosts/', host('other', { platform: 7 })),
  ]
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  const tested = await ordered()
  expect(tested.facts).toBe(false)
  expect(tested.targets.map(({ asset }) => asset.name).toSorted()).toEqual(['one', 'three', 'two'])
  expect(tested.targets[0]?.account).toMatchObject({ username: 'root' })
  const reason = { code: 'target_refused', params: { where: '192.0.2.1:22' } }
  await report(tested, ({ asset }) => (asset.name === 'two' ? { is_ok: false, reason } : {}))
  const asked = await ordered()
  expect(asked.facts).toBe(true)
  expect(asked.targets.map(({ asset }) => asset.name).toSorted()).toEqual(['one', 'three'])
  await report(asked, () => ({ facts: { arch: 'x86_64' } }))
  await vi.waitFor(
    async () =>
      expect(await tasks()).toMatchObject([
        { status: 'success', summary: { total: 3, ok: 2, failed: 1, gathered: 2 } },
      ]),
    soon,
  )
  const shown = (await admin.get('assets/hosts/?order=name')).body.map(({ name, connectivity, info }) => [
    name,
    connectivity?.['value'],
    info?.['arch'],
  ])
  expect(shown).toEqual([
    ['off', '-', undefined],
    ['one', 'ok', 'x86_64'],
    ['other', '-', undefined],
    ['three', 'ok', 'x86_64'],
    ['two', 'err', undefined],
  ])
})

test('what nobody can sign in to is reached by its port, and asked nothing', async () => {
  await admin.post('assets/hosts/', host('bare', { accounts: [] }))
  const tested = await ordered()
  expect(tested.targets).toMatchObject([{ asset: { name: 'bare' }, account: null }])
  await report(tested, () => ({}))
  await vi.waitFor(async () => expect(await tasks()).toMatchObject([{ status: 'success' }]), soon)
  clearInterval(alive)
  await hangUp(gateway)
})
