import { expectTypeOf, it } from 'vitest'
import type { PayloadOf, RowOf } from './resource.ts'
import { resource } from './resource.ts'
import { computed, integer, many, one, secret, text } from './field.ts'

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
