/** What callers are told of bodies that do not fit, field by field or in a sentence. */
import { expect, it } from 'vitest'
import { attributes, list, many, object, phone, text } from './field.ts'
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

it('takes a phone number as a text, or by both its parts as it is shown, and nothing for none', () => {
  const fields = { phone: phone({ nullable: true }) }
  const read = (input: unknown) => bodySchema(fields).parse({ phone: input })
  for (const number of [
    '+49 30 123456',
    { code: '+49', phone: 30_123_456 },
    { code: '+49', phone: '30 123456' },
  ])
    expect(read(number)).toEqual({ phone: '+4930123456' })
  expect([read(' '), read(null)]).toEqual([{ phone: '' }, { phone: null }])
  expect([read({ code: '+49', phone: '' }), read({ code: '', phone: ' ' })]).toEqual([
    { phone: '' },
    { phone: '' },
  ])
  for (const parts of [
    {},
    { x: 1 },
    { code: '+49' },
    { phone: 30_123_456 },
    { code: '+49', phone: null },
    { code: '+49', phone: 30_123_456, x: 1 },
    JSON.parse('{"__proto__": "1"}') as unknown,
    [],
    true,
    '-',
  ])
    expect(problems(fields, { phone: parts })).toEqual({ phone: [{ key: 'not_phone' }] })
})

it.each([
  ['a NUL', 'a\u0000b'],
  ['a line break', 'a\nb'],
  ['a tab', 'a\tb'],
  ['an escape of a terminal', 'a\u001b[2Jb'],
  ['a control character of eight bits', 'a\u009bb'],
])('refuses %s in a name, in a list of names and in an object, each at its field', (_what, name) => {
  const fields = { name: text({ max: 20 }), names: list(), inside: object({ name: text({ max: 20 }) }) }
  const told = [{ key: 'control_characters' }]
  expect(problems(fields, { name, names: ['good', name], inside: { name } })).toEqual({
    name: told,
    names: { 1: told },
    inside: { name: told },
  })
})

it('takes line breaks and tabs in long texts, nothing else that is not seen, and all that a machine wrote', () => {
  const fields = { comment: text(), key: text({ max: 20, multiline: true }), said: text({ verbatim: true }) }
  expect(problems(fields, { comment: 'a\r\n\tb', key: 'a\nb', said: '\u001b[2J' })).toBeUndefined()
  expect(problems(fields, { comment: 'a\u001bb', key: 'a\u0007b' })).toEqual({
    comment: [{ key: 'control_characters' }],
    key: [{ key: 'control_characters' }],
  })
})
