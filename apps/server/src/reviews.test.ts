/** What becomes of a review reaches the gateway in whose session somebody waits for it. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { layGround } from './domains/acls/testing.ts'
import { hangUp, link, listenOn, until } from './domains/terminal/testing.ts'
import { startTestSystem } from './testing.ts'
import { addPerson } from './testing-people.ts'

const system = await startTestSystem()
const { pool } = system.database

test('what is decided about a command, or taken back, is told at once to the gateway that waits, linked to whatever server; no other hears of it', async () => {
  const at = await layGround(system)
  const chief = await addPerson(system, at.admin, { name: 'Chief' })
  const group = await at.admin.post('acls/command-groups/', { name: 'danger', content: 'rm' })
  const acl = await at.rule('command-filter-acls', {
    command_groups: [group.body['id']],
    action: 'review',
    reviewers: [chief.id],
  })
  const standing = await link(at.gateway, await listenOn(await system.anotherNode()), 'boot-1')
  const stranger = await link(await system.component('stranger'), await listenOn(system.http), 'boot-2')
  const session = randomUUID()
  expect((await at.begin({ id: session })).status).toBe(201)
  standing.report([session])
  stranger.report([])
  const heard = () => pool.query(`select 1 from terminals where boot_id in ('boot-1', 'boot-2')`)
  await until(10_000, async () => (await heard()).rowCount === 2)
  const asked = async (): Promise<string> => {
    const { body } = await at.gateway.post('acls/command-filter-acls/command-review/', {
      session_id: session,
      cmd_filter_acl_id: acl,
      run_command: 'rm',
    })
    return /super-tickets\/([\w-]+)\/status/.exec(String(body['check_ticket_api']?.['url']))?.[1] ?? ''
  }
  const chiefHere = await chief.signedIn()
  const told: string[] = []
  for (const decide of [
    (id: string) => chiefHere.put(`tickets/tickets/${id}/approve/`),
    (id: string) => chiefHere.put(`tickets/tickets/${id}/reject/`),
    (id: string) => at.here.put(`tickets/tickets/${id}/close/`),
  ]) {
    const ticket = await asked()
    expect((await decide(ticket)).status).toBe(200)
    told.push(ticket)
    await until(10_000, () => standing.tasks.length === told.length)
  }
  expect(standing.tasks.map(({ name, args }) => [name, args])).toEqual(
    told.map((ticket) => ['review_decided', ticket]),
  )
  // Who gives up waiting need not be told so.
  const givenUp = await asked()
  expect((await at.gateway.delete(`tickets/super-tickets/${givenUp}/status/`)).status).toBe(204)
  const orders = await pool.query(`select 1 from terminal_tasks where name = 'review_decided'`)
  expect(orders.rowCount).toBe(told.length)
  expect(stranger.tasks).toEqual([])
  await hangUp(standing)
  await hangUp(stranger)
})
