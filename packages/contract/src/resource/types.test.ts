import { expect, expectTypeOf, it } from 'vitest'
import { answer, type AnswerOf, type BodyOf, onList, onRow, type ParametersOf, requestOf } from './calls.ts'
import { choices } from './choices.ts'
import type { FilterOf, PayloadOf, RowOf } from './resource.ts'
import { resource } from './resource.ts'
import {
  boolean,
  choice,
  computed,
  ids,
  integer,
  list,
  many,
  object,
  objects,
  one,
  type ParsedOf,
  plainChoice,
  secret,
  text,
} from './field.ts'

const Note = resource({
  app: 'tests',
  model: 'note',
  path: 'tests/notes',
  scope: 'org',
  order: ['name'],
  fields: {
    name: text({ max: 10, required: true }),
    remark: text({ nullable: true }),
    key: secret(),
    size: computed(integer()),
    owner: one('users.user', ['id', 'name'], { nullable: true }),
    users: many('users.user', ['id', 'name']),
  },
})

it('derives the row: no secret, nulls where declared, relations with what they show', () => {
  expectTypeOf<RowOf<typeof Note>>().toEqualTypeOf<{
    name: string
    remark: string | null
    size: number
    owner: { id: string; name: string } | null
    users: { id: string; name: string }[]
  }>()
})

it('derives the payload: required is required, computed is absent', () => {
  expectTypeOf<PayloadOf<typeof Note>>().toExtend<{ name: string; key?: string; remark?: string | null }>()
  expectTypeOf<PayloadOf<typeof Note>>().not.toHaveProperty('size')
})

const Board = resource({
  app: 'tests',
  model: 'board',
  path: 'tests/boards',
  scope: 'org',
  order: ['name'],
  fields: { name: text({ max: 10, required: true }) },
  calls: {
    lock: onRow({
      method: ['PATCH', 'PUT'],
      path: 'lock',
      access: 'assets.change_label',
      body: { reason: text({ max: 100, required: true }), readers: many('users.user', ['id']) },
      answer: answer.row,
      records: 'update',
    }),
    take: onList({
      method: 'POST',
      path: 'take',
      access: 'assets.change_label',
      body: ids(),
      records: 'changes',
    }),
    pages: onRow({
      method: 'GET',
      path: 'pages/{page}',
      access: 'assets.view_label',
      answer: answer.json<number[]>(),
    }),
  },
})

it('tells what a call is sent and what it answers', () => {
  type Lock = (typeof Board)['calls']['lock']
  expectTypeOf<BodyOf<Lock>>().toEqualTypeOf<{ reason: string; readers?: string[] }>()
  expectTypeOf<AnswerOf<Lock, RowOf<typeof Board>>>().toEqualTypeOf<{ name: string }>()
  expectTypeOf<BodyOf<(typeof Board)['calls']['take']>>().toEqualTypeOf<string[]>()
  expectTypeOf<AnswerOf<(typeof Board)['calls']['take']>>().toEqualTypeOf<null>()
  expectTypeOf<ParametersOf<(typeof Board)['calls']['pages']>>().toEqualTypeOf<{ page: string }>()
  expectTypeOf<AnswerOf<(typeof Board)['calls']['pages']>>().toEqualTypeOf<number[]>()
})

it('does not compile where there is no such permission', () => {
  onList({ method: 'GET', path: 'pages', access: 'assets.view_label' })
  onList({ method: 'GET', path: 'pages', access: ['assets.view_label', 'assets.change_label'] })
  // @ts-expect-error misspelt
  onList({ method: 'GET', path: 'pages', access: 'assets.view_lable' })
  // @ts-expect-error one of two is misspelt
  onList({ method: 'GET', path: 'pages', access: ['assets.view_label', 'assets.chnage_label'] })
})

it('makes the request of a call, and does not compile a misspelt one', () => {
  expect(requestOf(Board, 'lock', { id: 'a/b', body: { reason: 'x' } })).toEqual({
    method: 'PATCH',
    path: '/api/v1/tests/boards/a%2Fb/lock/',
    body: { reason: 'x' },
  })
  expect(requestOf(Board, 'pages', { id: 1, page: '2' })).toEqual({
    method: 'GET',
    path: '/api/v1/tests/boards/1/pages/2/',
  })
  // @ts-expect-error there is no such call
  expect(() => requestOf(Board, 'lok', { id: 1 })).toThrow('declares no call')
  // @ts-expect-error the id is missing
  expect(() => requestOf(Board, 'lock', { body: { reason: 'x' } })).toThrow('needs id')
  // @ts-expect-error the body has no such field
  requestOf(Board, 'lock', { id: 1, body: { reason: 'x', raeders: [] } })
})

it('does not compile a call that tells a field or filter of its rows there is not', () => {
  const told = { method: 'GET', path: 'told', access: 'users.view_user' } as const
  const board = {
    app: 'tests',
    model: 'board',
    path: 'tests/boards',
    scope: 'org',
    order: [],
    filters: { owner_name: { kind: 'text' } },
    fields: { name: text() },
  } as const
  resource({
    ...board,
    calls: { told: onList({ ...told, answer: answer.rowsOnly(['name', 'owner_name']) }) },
  })
  // @ts-expect-error there is no such field
  resource({ ...board, calls: { told: onList({ ...told, answer: answer.rowsOnly(['name', 'nmae']) }) } })
})

it('does not compile a default the field would not take', () => {
  const colors = choices('tests_color', ['red', 'blue'])
  choice(colors, { default: 'blue' })
  // @ts-expect-error no such choice
  choice(colors, { default: 'bleu' })
  // @ts-expect-error no such choice
  plainChoice(colors, { default: 'bleu' })
  // @ts-expect-error a list is an array
  list({ default: 'none' })
  // @ts-expect-error a number
  integer({ default: '1' })
})

it('derives what a list can be narrowed by: fields marked as filters and filters of its own', () => {
  const Listed = resource({
    app: 'tests',
    model: 'listed',
    path: 'tests/listed',
    scope: 'org',
    order: ['name'],
    filters: { owner_name: { kind: 'text' } },
    fields: {
      name: text({ filter: true }),
      user: text({ filter: 'contained' }),
      size: computed(integer({ filter: true })),
      remark: text(),
    },
  })
  expectTypeOf<FilterOf<typeof Listed>>().toEqualTypeOf<'name' | 'user' | 'size' | 'owner_name'>()
})

it('tells what an object is sent as, and what the server’s code gets of it: what is required or has a default is there', () => {
  const Mail = resource({
    app: 'tests',
    model: 'mail',
    path: 'tests/mails',
    scope: 'org',
    order: [],
    fields: {
      smtp: object({
        host: text({ required: true }),
        tls: boolean({ default: true }),
        from: text(),
        key: secret({ required: true }),
        sent: computed(integer()),
      }),
      levels: objects({ level: integer({ required: true }), people: many('users.user', ['id']) }),
    },
  })
  expectTypeOf<RowOf<typeof Mail>['smtp']>().toEqualTypeOf<{
    host: string
    tls: boolean
    from: string
    sent: number
  }>()
  expectTypeOf<ParsedOf<(typeof Mail)['fields']['smtp']>>().toEqualTypeOf<{
    host: string
    tls: boolean
    from?: string
    key?: string
  }>()
  expectTypeOf<ParsedOf<(typeof Mail)['fields']['levels']>>().toEqualTypeOf<
    { level: number; people?: string[] }[]
  >()
  expectTypeOf<{ smtp: { host: string } }>().toExtend<PayloadOf<typeof Mail>>()
  expectTypeOf<{ levels: { people: [{ id: string }] }[] }>().not.toExtend<PayloadOf<typeof Mail>>()
})
