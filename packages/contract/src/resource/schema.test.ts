/** What callers are told of bodies that do not fit, in the shapes of kernel.md section 8. */
import { expect, it } from 'vitest'
import { many, text } from './field.ts'
import { bodySchema, problemsOf } from './schema.ts'

const problems = (fields: Parameters<typeof bodySchema>[0], input: unknown) => {
  const parsed = bodySchema(fields).safeParse(input)
  return parsed.success ? undefined : problemsOf(parsed.error.issues)
}

it('tells of rows that cannot be as one list, like of rows that nobody has', () => {
  const fields = { users: many('users.user', ['id', 'name']), name: text({ max: 3 }) }
  expect(problems(fields, { users: ['x', '7d1c0000-0000-4000-8000-000000000001', 4], name: 'long' })).toEqual(
    {
      users: [
        { key: 'does_not_exist', params: { pk: 'x' } },
        { key: 'not_reference', params: { type: 'int' } },
      ],
      name: [{ key: 'max_length', params: { max: 3 } }],
    },
  )
})
