import type { Query } from '../api/client.ts'
import type { ListState } from './list-state.ts'

/** How a list asks for its rows: which page sizes there are, and in which words. */
export interface Paging {
  sizes: readonly number[]
  /** Where the size is remembered in this browser; undefined where there is no choice of one. */
  sizeKey?: string
  /** Whether the pager takes a page number that is typed. */
  canJump?: boolean
  queryOf: (state: Pick<ListState, 'page' | 'order'>, size: number) => Query
  /** The end of the address that deletes rows, where the selection token of the others is not known. */
  deletedAt?: (ids: readonly (string | number)[]) => string
}

/** Of the data table: the other words for the same list. */
const numbered = {
  queryOf: ({ page, order }: Pick<ListState, 'page' | 'order'>, size: number): Query => ({
    page,
    size,
    ...(order && { sort: order.replace(/^-/u, ''), direction: order.startsWith('-') ? 'desc' : 'asc' }),
  }),
  deletedAt: (ids: readonly (string | number)[]) => ids.map((id) => encodeURIComponent(String(id))).join(','),
}
const unpagedSize = 999

/** `offset`: every list of the shell; `page`: the data table; `none`: a data table that shows all rows at once. */
export const pagings = {
  offset: {
    sizes: [15, 30, 50, 100],
    sizeKey: 'paginationSize',
    queryOf: ({ page, order }, size) => ({ order, offset: (page - 1) * size, limit: size }),
  },
  page: { ...numbered, sizes: [10, 20, 30, 40, 50], sizeKey: 'dataTableSize', canJump: true },
  none: { ...numbered, sizes: [unpagedSize] },
} as const satisfies Record<string, Paging>
export type PagingName = keyof typeof pagings
