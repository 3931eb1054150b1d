import { expect, test } from 'vitest'
import type { FieldDescription } from './form-spec.ts'
import { FormStore } from './form-store.ts'

const described = (name: string, more: Partial<FieldDescription> = {}): FieldDescription => ({
  name,
  label: name,
  help: undefined,
  placeholder: undefined,
  meta: { type: 'string' },
  widget: 'text',
  choices: [],
  columns: undefined,
  ...more,
})
const fields = [
  described('name'),
  described('comment'),
  described('users', { meta: { type: 'm2m_related_field' }, widget: 'relations' }),
  described('setting.mode'),
  described('ports', { meta: { type: 'field', child: { type: 'nested object', children: {} } } }),
]
const begun = (row = {}) => new FormStore({ name: 'Ops', comment: 'old', ...row }, fields)

test('a field put back to what it was is not touched, and the form is clean', () => {
  const form = begun({ users: [{ id: 'u1', name: 'Ann' }] })
  form.set('name', 'Opsy')
  form.set('setting.mode', 'fast')
  expect(form.isDirty).toBe(true)
  expect(form.state.values).toMatchObject({ name: 'Opsy', setting: { mode: 'fast' } })
  form.set('name', 'Ops')
  form.set('setting.mode', '')
  form.set('users', [{ id: 'u1', label: 'Ann(ann)' }])
  expect(form.state.touched).toEqual({})
  expect(form.isDirty).toBe(false)
})

test('over another row untouched fields follow it, touched ones stay and are contested where it differs', () => {
  const form = begun()
  form.set('name', 'Mine')
  form.rebase({ name: 'Ops', comment: 'new' }, true)
  expect(form.state).toMatchObject({ values: { name: 'Mine', comment: 'new' }, conflicts: {} })
  form.rebase({ name: 'Theirs', comment: 'new' }, true)
  expect(form.state.conflicts).toEqual({ name: 'Theirs' })
  form.rebase({ name: 'Theirs', comment: 'newer' }, true)
  expect(form.state.conflicts).toEqual({ name: 'Theirs' })
  form.rebase({ name: 'Mine', comment: 'newer' }, true)
  expect(form.state).toMatchObject({ touched: {}, conflicts: {} })
})

test('other defaults for the same row contest nothing', () => {
  const form = begun()
  form.set('comment', 'mine')
  form.rebase({ name: 'Ops', comment: 'the default of another platform' }, false)
  expect(form.state).toMatchObject({ values: { comment: 'mine' }, conflicts: {} })
})

test('of two values one is chosen', () => {
  const contested = () => {
    const form = begun()
    form.set('name', 'Mine')
    form.rebase({ name: 'Theirs', comment: 'old' }, true)
    return form
  }
  const kept = contested()
  kept.keepMine('name')
  expect(kept.state).toMatchObject({ values: { name: 'Mine' }, conflicts: {} })
  const taken = contested()
  taken.takeTheirs('name')
  expect(taken.state).toMatchObject({ values: { name: 'Theirs' }, touched: {}, conflicts: {} })
})

test('once saved the form is clean and holds no secret; what was typed while it was sent stays', () => {
  const form = begun()
  form.set('name', 'Saved')
  form.set('password', 'correct horse')
  const sent = form.state.touched
  form.set('comment', 'typed meanwhile')
  form.settle({ name: 'Saved', comment: 'old' }, sent)
  expect(form.state.touched).toEqual({ comment: 'typed meanwhile' })
})

test('in a list of objects what is wrong stays with its row, and goes with it', () => {
  const [a, b, c] = [{ port: 1 }, { port: 2 }, { port: 3 }]
  const form = begun({ ports: [a, b, c] })
  form.setErrors({ 'ports.1.port': 'taken', 'ports.2.port': 'reserved', name: 'too long' })
  form.set('ports', [b, c])
  expect(form.state.errors).toEqual({ 'ports.0.port': 'taken', 'ports.1.port': 'reserved', name: 'too long' })
  form.set('ports', [{ port: 4 }, c])
  expect(form.state.errors).toEqual({ 'ports.1.port': 'reserved', name: 'too long' })
})
