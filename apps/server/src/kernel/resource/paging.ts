/** The other paging of the wire: `page`, `size`, `sort` and `direction` in, `payload.content` and `payload.totalElements` out (spec 2 section 7). */
import { invalid } from '../errors.ts'
import type { Query } from './query.ts'

const maxPage = 1_000_000
/** Rows of such a page: what a table without pages asks for. */
export const maxSize = 999

/** The same request in limit and offset; undefined when it asks for no page of this kind. @throws ValidationError on what is no page */
export function pagedQuery(query: Query): Query | undefined {
  if (query['page'] === undefined || query['size'] === undefined) return undefined
  const { page: _page, size: _size, sort, direction, ...rest } = query
  const page = numberOf(query, 'page')
  const size = Math.min(maxSize, numberOf(query, 'size'))
  const isDescending = direction?.toLowerCase() === 'desc'
  return {
    ...rest,
    limit: String(size),
    offset: String((page - 1) * size),
    ...(sort ? { order: `${isDescending ? '-' : ''}${sort}` } : {}),
  }
}
function numberOf(query: Query, name: 'page' | 'size'): number {
  const value = Number(query[name])
  if (!Number.isInteger(value) || value < 1 || value > maxPage) throw invalid(name, 'not_integer')
  return value
}

export const pagedAnswer = ({ count, results }: { count: number; results: readonly unknown[] }) => ({
  payload: { content: results, totalElements: count },
})
