/** What is declared and not bound, or bound and not declared, does not start. */
import {
  type Fields,
  type Filter,
  computed,
  identified,
  integer,
  list,
  many,
  object,
  objects,
  one,
  organized,
  resource,
  secret,
  text,
} from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { jsonb, pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { serve } from './binding.ts'
import { system } from './rows.ts'

const shelves = pgTable('shelves', {
  id: uuid().primaryKey(),
  name: varchar().notNull(),
  owner_id: uuid(),
  meta: jsonb(),
  parts: jsonb(),
  tags: jsonb().notNull(),
})
const bookShelves = pgTable('book_shelves', { shelf_id: uuid().notNull(), book_id: uuid().notNull() })
const other = { table: shelves, rows: system }

function start(fields: Fields, filters: Record<string, Filter>, binding: object): void {
  const Shelf = resource({
    app: 'tests',
    model: 'shelf',
    path: 'tests/shelves',
    scope: 'system',
    order: ['name'],
    fields: { ...identified, name: text({ max: 20, required: true, filter: true, search: true }), ...fields },
    filters,
  })
  serve(Shelf, { table: shelves, rows: system, ...binding })
}
const taken = { prepare: () => ({}) }

it.each([
  [
    'a filter nothing carries out, because its name is misspelt in the binding',
    {},
    { maintenance: { kind: 'boolean' } },
    { filters: { maintenence: () => sql`true` } },
    'tests.shelf: nothing carries out the filter maintenance; the filter maintenence is not declared',
  ],
  [
    'a modifier that is bound as if it were a filter',
    {},
    { all: { kind: 'modifier' } },
    { filters: { all: () => sql`true` } },
    'the modifier all is bound as a filter',
  ],
  [
    'a field without a column: what is sent for it would be gone',
    { height: integer() },
    {},
    {},
    'the field height is no column of shelves (height), and nothing computes it',
  ],
  [
    'what a new row must have and need not be sent',
    { tags: list({ max: 20 }) },
    {},
    {},
    'a new row without the field tags cannot be kept: require it, or say its default',
  ],
  [
    'a permission inside an object, which nobody would ask for',
    { meta: object({ pin: text({ readPermission: 'assets.view_asset' }) }, { nullable: true }) },
    {},
    {},
    'nothing carries out readPermission of meta.pin, which is inside an object',
  ],
  [
    'a filter inside a list of objects',
    { parts: objects({ size: integer({ filter: true }) }) },
    {},
    {},
    'nothing carries out filter of parts.size, which is inside an object',
  ],
  [
    'what items of a list would keep from when they were made',
    { parts: objects({ made_for: text({ createOnly: true }) }) },
    {},
    {},
    'parts.made_for cannot be kept: lists are replaced as a whole',
  ],
  [
    'a default inside an object that has none itself',
    { meta: object({ size: integer({ default: 1 }) }) },
    {},
    {},
    'nothing takes the default of meta.size when meta is not sent: it needs one, too',
  ],
  [
    'a related object inside another, of which nothing says where it lives',
    { parts: objects({ team: object({ keeper: one('users.user', ['id', 'name']) }) }) },
    {},
    {},
    'parts.team.keeper has no related table',
  ],
  [
    'a relation inside an object that is misspelt in the binding',
    { meta: object({ keeper: one('users.user', ['id', 'name']) }, { nullable: true }) },
    {},
    { relations: { 'meta.keepr': other } },
    'meta.keeper has no related table; the relation meta.keepr is not declared',
  ],
  [
    'one that no hook takes, although it is computed to be read',
    { height: integer() },
    {},
    { computed: { height: sql`1` } },
    'the field height is no column',
  ],
  ['a secret that is kept nowhere', { key: secret() }, {}, {}, 'the field key is no column of shelves (key)'],
  [
    'a related object without its column',
    { keeper: one('users.user', ['id', 'name']) },
    {},
    { relations: { keeper: other } },
    'the field keeper is no column of shelves (keeper_id)',
  ],
  [
    'a related object nobody says the table of',
    { owner: one('users.user', ['id', 'name']) },
    {},
    {},
    'the field owner',
  ],
  [
    'a related object of which something is shown that it has not',
    { owner: one('users.user', ['id', 'surname']) },
    {},
    { relations: { owner: other } },
    'what the field owner shows has no surname',
  ],
  ['a list of related objects without a link table', { books: many('tests.book', ['id']) }, {}, {}, 'books'],
  ['the name of an organization its rows are not in', organized, {}, {}, 'the field org_id'],
  [
    'a computed field that is filtered by, with nothing to do it',
    { height: computed(integer({ filter: true })) },
    {},
    { computed: { height: sql`1` } },
    'nothing filters by the field height',
  ],
  [
    'a computed field that is searched, which only columns are',
    { title: computed(text({ search: true })) },
    {},
    { computed: { title: sql`''` } },
    'the field title is searched',
  ],
  ['a computed field that is not declared', {}, {}, { computed: { size: sql`1` } }, 'size is not declared'],
  ['a relation that is not declared', {}, {}, { relations: { base: other } }, 'base is not declared'],
  ['an order by what is no field', {}, {}, { orders: { size: sql`1` } }, 'size is not declared'],
] as [string, Fields, Record<string, Filter>, object, string][])(
  'does not start with %s',
  (_what, fields, filters, binding, said) => {
    expect(() => start(fields, filters, binding)).toThrow(said)
  },
)

it.each([
  ['is required', { required: true }, {}],
  ['has a default', { default: [] }, {}],
  ['is not sent', { readOnly: true }, {}],
  ['is begun with by the binding', {}, { defaults: () => ({ tags: [] }) }],
  ['is made by a hook', {}, taken],
])('starts with what a new row must have where it %s', (_what, options, binding) => {
  expect(() => start({ tags: list({ max: 20, ...options }) }, {}, binding)).not.toThrow()
})

it('starts where everything declared is kept, computed or taken by a hook', () => {
  const fields = {
    owner: one('users.user', ['id', 'name'], { filter: true }),
    books: many('tests.book', ['id', 'name'], { filter: true }),
    size: computed(integer({ filter: true })),
    height: integer(),
    key: secret(),
  }
  const link = { link: bookShelves, from: bookShelves.shelf_id, to: bookShelves.book_id, target: other }
  const filters: Record<string, Filter> = { all: { kind: 'modifier' }, near: { kind: 'text' } }
  expect(() =>
    start(fields, filters, {
      relations: { owner: other, books: link },
      computed: { size: sql`1`, height: sql`2` },
      filters: { near: () => sql`true`, size: () => sql`true` },
      ...taken,
    }),
  ).not.toThrow()
})
