/** Books are kept inside the transaction of a change; what follows comes after it, beside the answer. */
import { defaultOrgId, defaultSettings } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { type Context, createContext } from './context.ts'
import { withTransaction } from './database/index.ts'
import { type DomainEvent, Events } from './events.ts'
import { createTestDatabase, testLog } from './testing/index.ts'

const database = await createTestDatabase()
await database.pool.query('create table notes (text text primary key)')

function started() {
  let commandExecution = true
  const events = new Events({
    database,
    log: testLog,
    settings: () => Promise.resolve({ ...defaultSettings, SECURITY_COMMAND_EXECUTION: commandExecution }),
  })
  const ctx = createContext(events, {
    db: database.db,
    identity: undefined,
    org: { id: defaultOrgId, name: 'DEFAULT', is_root: false, is_default: true },
    language: 'en',
    zone: 'UTC',
    remoteAddr: '127.0.0.1',
    origin: 'http://127.0.0.1',
    settings: defaultSettings,
    hasLicence: true,
    can: () => false,
    orgName: () => '',
  })
  return { events, ctx, switchOff: () => void (commandExecution = false) }
}
const happened = (id: string): DomainEvent => ({
  type: 'happened',
  name: 'users_left_org',
  data: { user_ids: [id], org_id: defaultOrgId },
})
const note = (ctx: Context, text: string) => ctx.db.execute(sql`insert into notes values (${text})`)
const notes = async () => (await database.pool.query<{ text: string }>('select text from notes')).rows
const emitted = (ctx: Context, id: string) =>
  withTransaction(database.db, (tx) => ctx.within(tx).emit(happened(id)))

describe('what follows a committed change', () => {
  test('works on a connection and with settings of its own', async () => {
    const { events, ctx, switchOff } = started()
    const seen: boolean[] = []
    events.onCommitted(async (fresh) => {
      seen.push(fresh.settings.SECURITY_COMMAND_EXECUTION)
      await note(fresh, 'followed')
      await withTransaction(fresh.db, (tx) => note(fresh.within(tx), 'followed in a transaction'))
    })
    switchOff()
    await emitted(ctx, 'a')
    await events.settle(5000)
    expect(seen).toEqual([false])
    expect(await notes()).toEqual([{ text: 'followed' }, { text: 'followed in a transaction' }])
  })

  test('does not delay the answer, comes in order, and hinders no other listener', async () => {
    const { events, ctx } = started()
    const slow = Promise.withResolvers<void>()
    const seen: string[] = []
    const idOf = (event: DomainEvent) =>
      event.type === 'happened' && event.name === 'users_left_org' ? event.data.user_ids[0] : ''
    events.onCommitted(async (_ctx, event) => {
      await slow.promise
      seen.push(`slow ${idOf(event)}`)
    })
    events.onCommitted(() => Promise.reject(new Error('fails every time')))
    const quick = Promise.withResolvers<void>()
    events.onCommitted((_ctx, event) => {
      seen.push(`quick ${idOf(event)}`)
      if (idOf(event) === 'b') quick.resolve()
      return Promise.resolve()
    })
    await emitted(ctx, 'a')
    await emitted(ctx, 'b')
    await quick.promise
    expect(seen).toEqual(['quick a', 'quick b'])
    slow.resolve()
    await events.settle(5000)
    expect(seen.slice(2)).toEqual(['slow a', 'slow b'])
  })

  test('is nothing when the change is undone, by the books, too', async () => {
    const { events, ctx } = started()
    const seen: string[] = []
    events.onRecord(async (inside) => {
      await note(inside, 'booked')
      throw new Error('the books cannot be kept')
    })
    events.onCommitted(() => Promise.resolve(void seen.push('followed')))
    await expect(emitted(ctx, 'a')).rejects.toThrow('cannot be kept')
    await events.settle(5000)
    expect(seen).toEqual([])
    expect((await notes()).map(({ text }) => text)).not.toContain('booked')
  })
})
