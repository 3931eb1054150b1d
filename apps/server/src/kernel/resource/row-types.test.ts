import {
  choice,
  choices,
  computed,
  integer,
  onRow,
  one,
  resource,
  secret,
  text,
  uuid,
} from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import {
  integer as integerColumn,
  pgTable,
  text as textColumn,
  uuid as uuidColumn,
} from 'drizzle-orm/pg-core'
import { expectTypeOf, it } from 'vitest'
import type { Context } from '../context.ts'
import { timestamptz } from '../database/columns.ts'
import { type InputOf, serve, type SavedOf, type SavingOf } from './binding.ts'
import { storedRow } from './read.ts'
import { org, system } from './rows.ts'

const colours = choices('colour', ['red', 'green'])
const Flag = resource({
  app: 'tests',
  model: 'flag',
  path: 'tests/flags',
  scope: 'org',
  order: ['name'],
  fields: {
    id: uuid({ readOnly: true }),
    name: text({ max: 10, required: true }),
    colour: choice(colours, { default: 'red' }),
    pole: one('tests.pole', ['id', 'name'], { nullable: true }),
    code: secret(),
    height: computed(integer()),
  },
  calls: {
    raise: onRow({ method: 'POST', path: 'raise', access: 'valid_user', records: 'update' }),
  },
})
const flags = pgTable('flags', {
  id: uuidColumn().primaryKey(),
  org_id: uuidColumn().notNull(),
  name: textColumn().notNull(),
  colour: textColumn().notNull(),
  pole_id: uuidColumn(),
  code: textColumn(),
  holes: integerColumn().notNull().default(0),
  date_raised: timestamptz(),
})
const poles = pgTable('poles', { id: uuidColumn().primaryKey(), name: textColumn().notNull() })

it('hands hooks the columns of the table and what the other fields show, by their types', () => {
  type Row = NonNullable<SavingOf<typeof Flag, typeof flags>['before']>
  expectTypeOf<Row>().toEqualTypeOf<{
    readonly id: string
    readonly org_id: string
    readonly name: string
    readonly colour: 'red' | 'green'
    readonly pole_id: string | null
    readonly code: string | null
    readonly holes: number
    readonly date_raised: string | null
    readonly pole: { id: string; name: string } | null
    readonly height: number
  }>()
  expectTypeOf<SavedOf<typeof Flag, typeof flags>['after']>().not.toHaveProperty('height')
})

it('knows of a create what must be sent, and of a change that there is a row before it', () => {
  const check = (saving: SavingOf<typeof Flag, typeof flags>) => {
    if (saving.mode === 'create') {
      expectTypeOf(saving.input.name).toEqualTypeOf<string>()
      expectTypeOf(saving.before).toEqualTypeOf<undefined>()
    } else {
      expectTypeOf(saving.input.name).toEqualTypeOf<string | undefined>()
      expectTypeOf(saving.before.holes).toEqualTypeOf<number>()
    }
    expectTypeOf(saving.input.pole).toEqualTypeOf<string | null | undefined>()
  }
  expectTypeOf(check).toBeFunction()
})

const prepare = ({ input }: SavingOf<typeof Flag, typeof flags>): InputOf<typeof Flag, typeof flags> => ({
  ...input,
  holes: 3,
  date_raised: new Date(),
  // @ts-expect-error what is stored is called holes
  hole: 3,
})

it('does not compile where a hook or a call names what is neither field nor column', () => {
  const served = serve(Flag, {
    table: flags,
    rows: org(flags.org_id),
    relations: { pole: { table: poles, rows: system } },
    computed: { height: sql`1` },
    // @ts-expect-error there is no column hole
    defaults: () => ({ hole: 3 }),
    prepare: (_ctx, saving) => prepare(saving),
    saved: async (_ctx, rows) => {
      for (const { input, before, after } of rows) {
        // @ts-expect-error colour is misspelt
        await Promise.resolve(input.color)
        // @ts-expect-error what was before may have been nothing
        await Promise.resolve(before.colour)
        // @ts-expect-error pole is no column
        await Promise.resolve(after.pole)
        expectTypeOf(after.pole_id).toEqualTypeOf<string | null>()
      }
    },
    removing: async (_ctx, [row]) => {
      expectTypeOf(row?.date_raised).toEqualTypeOf<string | null | undefined>()
      // @ts-expect-error misspelt
      await Promise.resolve(row?.['nmae'])
    },
    may: (_ctx, row, action) => {
      expectTypeOf(action).toEqualTypeOf<'update' | 'delete' | 'raise'>()
      // @ts-expect-error there is no blue
      return row.colour === 'blue' ? 'permission_denied' : true
    },
    present: (_ctx, row) => {
      expectTypeOf(row.colour?.value).toEqualTypeOf<'red' | 'green' | undefined>()
      // @ts-expect-error secrets are never shown
      return { ...row, code: row.code }
    },
    calls: {
      raise: async (_ctx, { row }) => {
        expectTypeOf(row.height).toEqualTypeOf<number>()
        // @ts-expect-error misspelt
        await Promise.resolve(row.hieght)
      },
    },
  })
  const read = (ctx: Context) => storedRow(served, ctx, sql`true`)
  expectTypeOf<NonNullable<Awaited<ReturnType<typeof read>>>>().toHaveProperty('height')
  expectTypeOf<NonNullable<Awaited<ReturnType<typeof read>>>>().not.toHaveProperty('hieght')
})
