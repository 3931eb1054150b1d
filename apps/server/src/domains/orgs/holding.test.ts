/** What an organization holds, with a resource added as the guide says. */
import { sql } from 'drizzle-orm'
import { commented, identified, organized, resource, text } from '@sallyport/contract'
import { pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { openLive } from '../../kernel/live.ts'
import { serve } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import { callerOf } from '../../kernel/testing/caller.ts'
import { startTestServer, testSecrets } from '../../kernel/testing/http.ts'
import { createTestDatabase, testLog } from '../../kernel/testing/index.ts'
import { createSettings } from '../settings/index.ts'
import { createOrgs, domain } from './index.ts'

const racks = pgTable('racks', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  comment: varchar().notNull().default(''),
  org_id: uuid().notNull(),
})
const Rack = resource({
  app: 'tests',
  model: 'rack',
  path: 'tests/racks',
  scope: 'org',
  order: ['name'],
  fields: { ...identified, name: text({ required: true }), ...commented, ...organized },
})
const rackServed = serve(Rack, { table: racks, rows: org(racks.org_id) })

test('an organization is not deleted while it holds rows of any resource bound to organizations', async () => {
  const database = await createTestDatabase()
  await database.pool.query(
    `create table racks (id uuid primary key default gen_random_uuid(), name text not null, comment text not null default '', org_id uuid not null)`,
  )
  const live = await openLive(database, testLog)
  try {
    const settings = createSettings({ database, live, secrets: testSecrets })
    const orgs = createOrgs({ database, live }, settings)
    const call = callerOf(
      await startTestServer(database, [
        domain({ database }, orgs, [rackServed], () => sql`select null::uuid`),
        { name: 'tests', resources: [rackServed] },
      ]),
      'ann *',
    )
    const made = await call('POST', 'orgs/orgs/', { name: 'With a rack' })
    const id = String(made.body.id)
    const rack = await call('POST', 'tests/racks/', { name: 'one' }, { org: id })
    expect(await call('DELETE', `orgs/orgs/${id}/`)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: expect.stringContaining('rack') },
    })
    await call('DELETE', `tests/racks/${String(rack.body.id)}/`, undefined, { org: id })
    expect((await call('DELETE', `orgs/orgs/${id}/`)).status).toBe(204)
  } finally {
    await live.close()
  }
})
