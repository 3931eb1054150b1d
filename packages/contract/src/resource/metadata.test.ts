import { expect, test } from 'vitest'
import { choices } from './choices.ts'
import { choice, integer, object, objects, secret, text } from './field.ts'
import { metadataOf } from './metadata.ts'
import { resource } from './resource.ts'

const Slot = resource({
  app: 'tests',
  model: 'slot',
  path: 'tests/slots',
  scope: 'org',
  order: [],
  fields: {
    name: text({ max: 20, min: 2, required: true, help: 'city' }),
    amount: integer({ min: 1, max: 100, default: 50, filter: true }),
    action: choice(choices('acl_action', ['accept', 'reject']), { default: 'accept', readOnly: true }),
    maker: text({ max: 9, filter: 'contained' }),
    deed: text({ max: 32, oneOf: choices('acl_action', ['reject']) }),
    key: secret({ max: 1024 }),
    owner: object({ name: text({ max: 9, default: 'nobody' }) }),
    parts: objects({ count: integer({ default: 1 }) }),
  },
  // The deed is found by a part of it, as the server says; `key` says how others find.
  filters: { deed: { kind: 'text' }, key: { kind: 'modifier' }, before: { kind: 'datetime' } },
})

test('a client is told everything that is declared of a field', () => {
  const plain = { required: false, read_only: false, write_only: false }
  expect(metadataOf(Slot, 'en', 'list').actions.POST).toEqual({
    name: {
      ...plain,
      type: 'string',
      label: 'Name',
      help_text: 'Filtered by the name in English or in your language.',
      required: true,
      min_length: 2,
      max_length: 20,
    },
    amount: { ...plain, type: 'integer', label: 'amount', min_value: 1, max_value: 100, default: 50 },
    action: {
      ...plain,
      type: 'labeled_choice',
      label: 'Action',
      read_only: true,
      default: 'accept',
      choices: [
        { value: 'accept', label: 'Accept' },
        { value: 'reject', label: 'Reject' },
      ],
    },
    maker: { ...plain, type: 'string', label: 'maker', max_length: 9 },
    deed: {
      ...plain,
      type: 'choice',
      label: 'deed',
      required: true,
      max_length: 32,
      choices: [{ value: 'reject', label: 'Reject' }],
    },
    key: { ...plain, type: 'string', label: 'Key', write_only: true, max_length: 1024 },
    owner: {
      ...plain,
      type: 'nested object',
      label: 'owner',
      children: { name: { ...plain, type: 'string', label: 'Name', max_length: 9, default: 'nobody' } },
    },
    parts: {
      ...plain,
      type: 'field',
      label: 'parts',
      child: {
        type: 'nested object',
        children: { count: { ...plain, type: 'integer', label: 'count', default: 1 } },
      },
    },
  })
})

test('what is filtered and sorted by is told of lists, and a change requires nothing', () => {
  const { GET, PATCH } = metadataOf(Slot, 'en', 'detail').actions
  expect(GET?.['amount']).toMatchObject({ filter: true, order: true })
  expect(GET?.['deed']).toMatchObject({ filter: true })
  expect(GET?.['maker']).toMatchObject({ filter: true, contained: 'maker__icontains' })
  expect(GET?.['key']).not.toHaveProperty('order')
  for (const name of ['name', 'key']) expect(GET?.[name]).not.toHaveProperty('filter')
  expect(GET).not.toHaveProperty('before')
  expect(PATCH?.['name']).toMatchObject({ required: false })
})
