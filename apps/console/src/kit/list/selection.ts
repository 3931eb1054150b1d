import { useCallback, useMemo, useState } from 'react'
import type { Row, RowId } from '../api/resource.ts'

export interface Selection<R extends Row = Row> {
  rows: readonly R[]
  ids: readonly RowId[]
  has: (id: RowId) => boolean
  /** Ticks or unticks rows; others stay as they are, on other pages too. */
  set: (rows: readonly R[], selected: boolean) => void
  clear: () => void
}

/** Rows ticked in a list; the choice lasts across pages. */
export function useSelection<R extends Row>(): Selection<R> {
  const [chosen, setChosen] = useState<ReadonlyMap<RowId, R>>(new Map())
  const set = useCallback((rows: readonly R[], selected: boolean) => {
    setChosen((before) => {
      const next = new Map(before)
      for (const row of rows) {
        if (selected) {
          next.set(row.id, row)
        } else {
          next.delete(row.id)
        }
      }
      return next
    })
  }, [])
  const clear = useCallback(() => setChosen((before) => (before.size > 0 ? new Map() : before)), [])
  return useMemo(
    () => ({
      rows: [...chosen.values()],
      ids: [...chosen.keys()],
      has: (id: RowId) => chosen.has(id),
      set,
      clear,
    }),
    [chosen, set, clear],
  )
}
