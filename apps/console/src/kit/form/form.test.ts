import { expect, test } from 'vitest'
import { accessOf } from '../access/access.ts'
import { ApiError } from '../api/errors.ts'
import type { FieldMetas } from '../api/metadata.ts'
import { relationPayload, relatedItems } from '../relation/relation.ts'
import { describeForm } from './describe.ts'
import { changeProblem, checkField, leaveProblem, problemsOf, rules, UnfinishedJson } from './rules.ts'
import { placeErrors } from './server-errors.ts'
import { beginningValues, copiedRow, payloadOf } from './values.ts'

const metas: FieldMetas = {
  id: { type: 'field', read_only: true },
  name: { type: 'string', label: 'Name', required: true, max_length: 8 },
  comment: { type: 'string', label: 'Comment', max_length: 200 },
  password: { type: 'string', label: 'Password', write_only: true },
  source: {
    type: 'labeled_choice',
    label: 'Source',
    default: 'local',
    choices: [1, 2, 3, 4, 5].map((value) => ({ value, label: String(value) })),
  },
  users: { type: 'm2m_related_field', label: 'Users' },
  is_active: { type: 'boolean', label: 'Active', default: true },
  port: { type: 'integer', label: 'Port', min_value: 1, max_value: 65535 },
  setting: {
    type: 'nested object',
    children: { mode: { type: 'string', label: 'Mode', max_length: 9, default: 'fast' } },
  },
}
const groups = [
  ['basic', ['id', 'name', 'comment', 'password', 'source', 'users', 'is_active', 'port', 'setting', 'gone']],
] as const
const fields = describeForm(groups, metas, {}, String).flatMap((group) => group.fields)
const field = (name: string) => {
  const found = fields.find((candidate) => candidate.name === name)
  if (!found) {
    throw new Error(`no field ${name}`)
  }
  return found
}
const situation = { updating: false, access: accessOf([], false) }

test('the metadata decides which fields a form has and how they are filled in', () => {
  expect(fields.map((one) => `${one.name}: ${String(one.widget)}`)).toEqual([
    'name: text',
    'comment: textarea',
    'password: password',
    'source: select',
    'users: relations',
    'is_active: switch',
    'port: number',
    'setting.mode: text',
  ])
})

test('texts named email, password and comment are filled in as such, also within an object, and others without a limit in areas', () => {
  const text = { type: 'string', max_length: 99 }
  const named = { email: text, password: text, comment: text, note: text, essay: { type: 'string' } }
  const widgets = describeForm(
    [['basic', ['email', 'password', 'comment', 'note', 'essay', 'owner']]],
    { ...named, owner: { type: 'nested object', children: named } },
    {},
    String,
  ).flatMap((group) => group.fields.map((one) => `${one.name}: ${String(one.widget)}`))
  expect(widgets).toEqual([
    'email: email',
    'password: password',
    'comment: textarea',
    'note: text',
    'essay: textarea',
    'owner.email: email',
    'owner.password: password',
    'owner.comment: textarea',
    'owner.note: text',
    'owner.essay: textarea',
  ])
})

test('a form begins with the row, choices reduced to their values, and the defaults of what is open', () => {
  const row = { name: 'Ops', source: { value: 'ldap', label: 'LDAP' }, users: [{ id: 'u1', name: 'Ann' }] }
  expect(beginningValues(metas, row)).toEqual({
    name: 'Ops',
    source: 'ldap',
    users: [{ id: 'u1', name: 'Ann' }],
    is_active: true,
    setting: { mode: 'fast' },
  })
})

test('what is sent: trimmed texts, relations by id, nothing the form does not have; an untouched secret stays', async () => {
  const values = {
    name: ' Ops ',
    users: [{ id: 'u1', name: 'Ann' }],
    password: '',
    setting: { mode: 'slow' },
    org_id: 'x',
  }
  expect(await payloadOf(fields, values, { ...situation, updating: true })).toEqual({
    name: 'Ops',
    users: [{ pk: 'u1' }],
    setting: { mode: 'slow' },
  })
  expect(await payloadOf(fields, { password: '' }, situation)).toEqual({ password: '' })
})

test('a copy has no id and another name', () => {
  expect(copiedRow({ id: '1', name: 'Ops', comment: 'c' }, 'Duplicate from ')).toEqual({
    name: 'Duplicate from Ops',
    comment: 'c',
  })
})

test('a copy takes over of a field what its form says', () => {
  const specs = { groups: { copied: false }, keys: { copied: () => ['new'] } } as const
  expect(copiedRow({ id: '1', groups: ['g'], keys: ['k'] }, '', specs)).toEqual({ keys: ['new'] })
})

test('what cannot be right is said before it is sent', () => {
  const check = (name: string, value: unknown) =>
    checkField(field(name), { [name]: value }, situation, (key) => key)
  expect(check('name', '  ')).toBe('required')
  expect(check('name', 'far too long')).toBe('tooLong')
  expect(check('name', 'fine')).toBeUndefined()
  expect(check('port', 70000)).toBe('tooMuch')
  expect(check('comment', undefined)).toBeUndefined()
  expect(check('comment', new UnfinishedJson('{'))).toBe('invalidJson')
})

test('a choice is required where the server says so, an address of mail has its form, and an emoji is none of a name', () => {
  const [choice, mail, name, free] = describeForm(
    [['basic', ['kind', 'email', 'title', 'notes']]],
    {
      kind: { type: 'choice', required: true, choices: [{ value: 'a', label: 'A' }] },
      email: { type: 'string', max_length: 99 },
      title: { type: 'string', max_length: 99 },
      notes: { type: 'string' },
    },
    { title: { rules: [rules.noEmoji] } },
    String,
  ).flatMap((group) => group.fields)
  const check = (one: typeof choice, value: unknown) =>
    one && checkField(one, { [one.name]: value }, situation, (key) => key)
  expect(check(choice, undefined)).toBe('required')
  expect(check(choice, 'a')).toBeUndefined()
  expect(check(mail, 'ann@example')).toBe('invalidEmail')
  expect(check(mail, 'ann@example.com')).toBeUndefined()
  expect(check(name, 'Ops 🚀')).toBe('noEmoji')
  expect(check(name, 'Ops 漢字')).toBeUndefined()
  // Without a longest length it is a text of several lines.
  expect(free?.widget).toBe('textarea')
})

test('answers of the server land on their fields, nested ones too, and nothing is swallowed', () => {
  const error = new ApiError(400, 'x', {
    name: ['This field must be unique.'],
    setting: { mode: ['Not a mode.'] },
    org: ['Unknown.'],
  })
  expect(placeErrors(error, fields, {}, situation)).toEqual({
    placed: { name: 'This field must be unique.', 'setting.mode': 'Not a mode.' },
    others: ['org: Unknown.'],
  })
})

test('an answer about a field out of view is told beside the form, by the name of the field', () => {
  const hidden = fields.map((one) => (one.name === 'name' ? { ...one, label: 'Name', hidden: true } : one))
  expect(placeErrors(new ApiError(400, 'x', { name: ['Taken.'] }), hidden, {}, situation)).toEqual({
    placed: {},
    others: ['Name: Taken.'],
  })
})

test('a field out of view is not sent, one with a last touch as it leaves it, and only what was touched where asked', async () => {
  const some = [
    field('name'),
    { ...field('comment'), hidden: true },
    { ...field('users'), toSend: () => undefined },
  ]
  const values = { name: 'Ops', comment: 'unseen', users: [{ id: 'u1' }] }
  expect(await payloadOf(some, values, situation)).toEqual({ name: 'Ops' })
  const all = [field('name'), field('comment')]
  expect(
    await payloadOf(all, values, situation, { only: { comment: 'unseen' }, extra: { seen: true } }),
  ).toEqual({ seen: true, comment: 'unseen' })
})

test('a copy is named as the screen says, where it says so', () => {
  const specs = { name: { copied: (name: unknown) => `${String(name)}-copy` } }
  expect(copiedRow({ id: '1', name: 'Ops' }, 'Duplicate from ', specs)).toEqual({ name: 'Ops-copy' })
})

test('a secret somebody answers with is not what a form begins with', () => {
  expect(beginningValues(metas, { name: 'Ops', password: 'letmein' })).toMatchObject({
    name: 'Ops',
    password: '',
  })
})

const ports: FieldMetas = {
  ports: {
    type: 'field',
    child: {
      type: 'nested object',
      children: {
        id: { type: 'integer', read_only: true },
        name: { type: 'string', required: true, max_length: 8 },
        port: { type: 'integer', min_value: 1 },
      },
    },
  },
}
const [portsField] = describeForm([['basic', ['ports']]], ports, {}, String).flatMap((group) => group.fields)

test('a list of objects has a column for each field that can be written, checked and sent by itself', async () => {
  if (!portsField) throw new Error('no field')
  expect(portsField.columns?.map((column) => `${column.name}: ${String(column.widget)}`)).toEqual([
    'name: text',
    'port: number',
  ])
  const values = { ports: [{ id: 7, name: ' ssh ', port: 22 }, { port: 0 }] }
  expect(problemsOf(portsField, values, situation, (key) => key)).toEqual({
    'ports.1.name': 'required',
    'ports.1.port': 'tooLittle',
  })
  expect(await payloadOf([portsField], values, situation)).toEqual({
    ports: [{ id: 7, name: 'ssh', port: 22 }, { port: 0 }],
  })
})

test('errors of the server land in the row and column they are about', () => {
  if (!portsField) throw new Error('no field')
  const error = new ApiError(400, 'x', { ports: [{}, { port: ['Taken.'], setting: { mode: ['Odd.'] } }] })
  expect(placeErrors(error, [portsField], {}, situation)).toEqual({
    placed: { 'ports.1.port': 'Taken.', 'ports.1.setting': 'mode: Odd.' },
    others: [],
  })
})

test('relations are read in any form and sent as asked', () => {
  expect(relatedItems(['a', { pk: 'b' }, { id: 'c', name: 'C' }])).toEqual([
    { id: 'a' },
    { id: 'b', label: undefined },
    { id: 'c', label: 'C' },
  ])
  const path = 'x/'
  expect(relationPayload([{ id: 'a' }, { label: 'new' }], { path })).toEqual([{ pk: 'a' }, { name: 'new' }])
  expect(relationPayload({ id: 'a' }, { path, plain: true })).toBe('a')
  expect(relationPayload(null, { path })).toBeNull()
})

test('a text that is required is missed when the person leaves it, a choice as soon as it is taken back', () => {
  const text = { ...field('name'), required: true }
  expect(changeProblem(text, { name: ' ' }, situation, String)).toBeUndefined()
  expect(leaveProblem(text, { name: ' ' }, situation, String)).toBe('required')
  const choice = { ...field('users'), required: true }
  expect(changeProblem(choice, { users: [] }, situation, String)).toBe('required')
  expect(changeProblem(choice, { users: ['u1'] }, situation, String)).toBeUndefined()
  expect(leaveProblem(choice, { users: [] }, situation, String)).toBeUndefined()
})
