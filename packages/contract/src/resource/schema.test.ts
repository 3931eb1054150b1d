/** What callers are told of bodies that do not fit, in the shapes of kernel.md section 8. */
import { expect, it } from 'vitest'
import { attributes, many, text } from './field.ts'
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

it('takes of addresses, words and schedules what they may look like', () => {
  const fields = {
    address: text({ pattern: 'address' }),
    word: text({ pattern: 'word' }),
    crontab: text({ pattern: 'cron' }),
  }
  expect(problems(fields, { address: 'a b', word: 'ä', crontab: 'daily' })).toEqual({
    address: [{ key: 'not_address' }],
    word: [{ key: 'not_word' }],
    crontab: [{ key: 'not_cron' }],
  })
  expect(
    problems(fields, { address: 'https://h:1/p?a=b&c#d-e', word: 'a_1', crontab: '0 2 * * *' }),
  ).toBeUndefined()
  expect(problems(fields, { address: '', word: '', crontab: '' })).toBeUndefined()
})

it('takes mapped attributes that tell people apart, and no others', () => {
  const fields = { names: attributes() }
  expect(problems(fields, { names: { user: 'username', mail: 'email' } })).toBeUndefined()
  expect(problems(fields, { names: { mail: 'email' } })).toEqual({ names: [{ key: 'username_not_mapped' }] })
  expect(problems(fields, { names: ['username'] })).toEqual({
    names: [{ key: 'not_object', params: { type: 'list' } }],
  })
  expect(problems(fields, { names: { user: 'username', mail: 4 } })).toEqual({ names: [{ key: 'not_text' }] })
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`a${at}`, 'username']))
  expect(problems(fields, { names: many })).toEqual({
    names: [{ key: 'too_many_items', params: { max: 100 } }],
  })
})
