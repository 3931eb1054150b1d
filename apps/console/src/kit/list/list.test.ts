import { expect, test } from 'vitest'
import type { FieldMetas } from '../api/metadata.ts'
import { candidateColumns, visibleColumns } from './columns.ts'
import { tableKey } from './column-settings-store.ts'
import { nextOrder, readListState, writeListState } from './list-state.ts'
import { pageNumbers } from './pager.tsx'
import { pagings } from './paging.ts'
import { searchOptions, searchTags, withTag, withoutTag } from './search-options.ts'

const metas: FieldMetas = {
  id: { type: 'field', label: 'ID', filter: true },
  name: { type: 'string', label: 'Name', filter: true, order: true },
  password: { type: 'string', label: 'Password', write_only: true },
  is_active: { type: 'boolean', label: 'Active', filter: true },
  source: {
    type: 'labeled_choice',
    label: 'Source',
    filter: true,
    choices: [{ value: 'local', label: 'Database' }],
  },
  actions: { type: 'tree', label: 'Actions' },
  comment: { type: 'string', label: 'Comment' },
}

test('a list can show every readable field, never a secret, in the order of the metadata, the id last', () => {
  const names = candidateColumns(metas, {}, String).map((column) => column.name)
  expect(names).toEqual(['name', 'is_active', 'source', 'comment', 'id'])
})

test('the default columns show until the person chooses; locked columns and the id always show', () => {
  const choice = { defaultColumns: ['comment', 'name', 'gone'], minColumns: ['name'] }
  const all = candidateColumns(metas, choice, String)
  expect(visibleColumns(all, choice, undefined).map((column) => column.name)).toEqual([
    'name',
    'comment',
    'id',
  ])
  expect(visibleColumns(all, choice, ['source']).map((column) => column.name)).toEqual([
    'name',
    'source',
    'id',
  ])
  const withoutId = candidateColumns(metas, { columns: ['name', 'comment'] }, String)
  expect(visibleColumns(withoutId, {}, ['name']).map((column) => column.name)).toEqual(['name'])
})

test('column settings belong to the kind of page, not to one record', () => {
  const id = '0c2f6b0e-6f0d-4c5e-9d0e-1f2d7a2f9b11'
  expect(tableKey(`/console/users/${id}`, `perms/users/${id}/assets/?all=1`)).toBe(
    '/console/users/*_perms/users/*/assets/',
  )
})

test('a list state survives the way into the address and back, and leaves other keys alone', () => {
  const params = new URLSearchParams('activeTab=Info&page=9&order=name&search=old')
  const state = { page: 3, order: '-name', filters: { search: 'a,b', is_active: 'true' } }
  const written = writeListState(params, state)
  expect(readListState(written)).toEqual(state)
  expect(written.get('activeTab')).toBe('Info')
})

test('a page is asked for by offset and limit, or in the words of the data table', () => {
  const state = { page: 3, order: '-name' }
  expect(pagings.offset.queryOf(state, 30)).toEqual({ order: '-name', offset: 60, limit: 30 })
  expect(pagings.page.queryOf(state, 20)).toEqual({ page: 3, size: 20, sort: 'name', direction: 'desc' })
  expect(pagings.none.queryOf({ page: 1, order: '' }, 999)).toEqual({ page: 1, size: 999 })
  expect(pagings.page.deletedAt(['a', 7])).toBe('a,7')
})

test('a list in a tab keeps its state beside those of the other tabs', () => {
  const params = new URLSearchParams('oid=7&activeTab=Ended&Online.page=2&Online.user=ann')
  const ended = writeListState(params, { page: 3, order: '-date_end', filters: { asset: 'web' } }, 'Ended')
  expect(readListState(ended, 'Ended')).toEqual({ page: 3, order: '-date_end', filters: { asset: 'web' } })
  expect(readListState(ended, 'Online')).toEqual({ page: 2, order: '', filters: { user: 'ann' } })
  expect(ended.get('oid')).toBe('7')
  expect(readListState(ended)).toEqual({ page: 1, order: '', filters: {} })
})

test('nonsense in the address is page one', () => {
  expect(readListState(new URLSearchParams('page=-3')).page).toBe(1)
  expect(readListState(new URLSearchParams('page=x')).page).toBe(1)
})

test('a header sorts up, down, and not at all', () => {
  expect(nextOrder('', 'name')).toBe('name')
  expect(nextOrder('name', 'name')).toBe('-name')
  expect(nextOrder('-name', 'name')).toBe('')
  expect(nextOrder('-date', 'name')).toBe('name')
})

test('filters are shown as tags, with the words of the choices; words of a search have a tag each', () => {
  const options = searchOptions(metas, ['Yes', 'No'])
  expect(options.map((option) => option.label)).toEqual(['ID', 'Name', 'Active', 'Source'])
  const filters = { search: 'web,db', source: 'local', is_active: 'false', unknown: 'x' }
  expect(searchTags(filters, options).map((tag) => `${tag.label}=${tag.shown}`)).toEqual([
    '=web',
    '=db',
    'Source=Database',
    'Active=No',
  ])
})

test('what is found by parts is asked for by parts, and an address that names the whole still shows its tag', () => {
  const user = { type: 'string', label: 'User', filter: true, contained: 'user__icontains' }
  const options = searchOptions({ user }, ['Yes', 'No'])
  expect(options.map(({ name }) => name)).toEqual(['user__icontains'])
  for (const key of ['user__icontains', 'user'])
    expect(searchTags({ [key]: 'ann' }, options)).toMatchObject([{ key, label: 'User', shown: 'ann' }])
})

test('words add up, the value of a field is replaced, and a tag can be taken away', () => {
  const one = withTag({}, 'search', 'web')
  const two = withTag(one, 'search', 'db, web')
  expect(two).toEqual({ search: 'web,db' })
  expect(withTag({ name: 'a' }, 'name', 'b')).toEqual({ name: 'b' })
  expect(withTag({ name: 'a' }, 'name', ' ')).toEqual({})
  expect(withoutTag(two, { key: 'search', value: 'web' })).toEqual({ search: 'db' })
  expect(withoutTag({ search: 'db' }, { key: 'search', value: 'db' })).toEqual({})
})

test('the pager offers five pages around the current one', () => {
  expect(pageNumbers(1, 3)).toEqual([1, 2, 3])
  expect(pageNumbers(1, 20)).toEqual([1, 2, 3, 4, 5])
  expect(pageNumbers(10, 20)).toEqual([8, 9, 10, 11, 12])
  expect(pageNumbers(20, 20)).toEqual([16, 17, 18, 19, 20])
})
