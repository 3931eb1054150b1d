import { useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useTab } from '../tabs/tabs.tsx'
import type { Query } from '../api/client.ts'
import { readStored, writeStored } from '../storage/storage.ts'
import type { Paging } from './paging.ts'

/** Query keys of an address that say something else than a filter. */
const otherKeys = new Set(['activeTab', 'activeTreeTab', 'oid', 'clone_from', 'node', '_'])

export type Filters = Readonly<Record<string, string>>

export interface ListState {
  page: number
  /** Field name, `-` before it for descending, empty for the server's own order. */
  order: string
  /** Field → value; free words under `search`, separated by commas. */
  filters: Filters
}

/** A list in a tab keeps its state under names that begin with the tab's, so that each tab keeps its own. */
const nameIn = (scope: string, key: string) => (scope ? `${scope}.${key}` : key)
const isIn = (scope: string, key: string) =>
  scope ? key.startsWith(`${scope}.`) : !key.includes('.') && !otherKeys.has(key)
const ownKeys = new Set(['page', 'order'])

/** Reads a list's state out of an address. */
export function readListState(params: URLSearchParams, scope = ''): ListState {
  const page = Number(params.get(nameIn(scope, 'page')))
  const filters: Record<string, string> = {}
  for (const [name, value] of params) {
    const key = scope ? name.slice(scope.length + 1) : name
    if (isIn(scope, name) && !ownKeys.has(key) && value) {
      filters[key] = value
    }
  }
  return {
    page: Number.isInteger(page) && page > 0 ? page : 1,
    order: params.get(nameIn(scope, 'order')) ?? '',
    filters,
  }
}

/** The address of a list's state; keys that are not the list's own stay as they were. */
export function writeListState(params: URLSearchParams, state: ListState, scope = ''): URLSearchParams {
  const next = new URLSearchParams()
  for (const [key, value] of params) {
    if (!isIn(scope, key)) {
      next.set(key, value)
    }
  }
  for (const [key, value] of Object.entries(state.filters)) {
    if (value) {
      next.set(nameIn(scope, key), value)
    }
  }
  if (state.order) {
    next.set(nameIn(scope, 'order'), state.order)
  }
  if (state.page > 1) {
    next.set(nameIn(scope, 'page'), String(state.page))
  }
  return next
}

/** The order after a click on a column's header: ascending, descending, the server's own. */
export function nextOrder(order: string, column: string): string {
  return order === column ? `-${column}` : order === `-${column}` ? '' : column
}

/**
 * The state of a list: page, order, filters and page size. It lives in the address, so that Back, reload and a link
 * show the same rows; a list beside another one (`inAddress` false) keeps its own. The page size is remembered in this
 * browser.
 */
export function useListState(inAddress: boolean, paging: Paging) {
  const [addressParams, setAddressParams] = useSearchParams()
  const [ownParams, setOwnParams] = useState(() => new URLSearchParams())
  const [pageSize, setPageSize] = useState(() => readPageSize(paging))
  const tab = useTab()
  const scope = inAddress ? tab : ''
  const params = inAddress ? addressParams : ownParams
  const state = useMemo(() => readListState(params, scope), [params, scope])
  const change = useCallback(
    (changes: Partial<ListState>, replace = false) => {
      const write = (current: URLSearchParams) =>
        writeListState(current, { ...readListState(current, scope), page: 1, ...changes }, scope)
      if (inAddress) {
        setAddressParams(write, { replace, preventScrollReset: true })
      } else {
        setOwnParams(write)
      }
    },
    [inAddress, scope, setAddressParams],
  )
  const resize = useCallback(
    (size: number) => {
      if (paging.sizeKey !== undefined) writeStored(paging.sizeKey, size)
      setPageSize(size)
      change({ page: 1 })
    },
    [change, paging],
  )
  const query: Query = { ...state.filters, ...paging.queryOf(state, pageSize) }
  return { ...state, pageSize, query, change, resize }
}

function readPageSize({ sizes, sizeKey }: Paging): number {
  const stored = sizeKey === undefined ? undefined : Number(readStored(sizeKey))
  const [first = 1] = sizes
  return sizes.find((size) => size === stored) ?? first
}
