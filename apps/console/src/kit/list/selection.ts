import { useCallback, useMemo, useState } from 'react'
import type { Row, RowId } from '../api/resource.ts'

export interface Selection {
  rows: readonly Row[]
  has: (id: RowId) => boolean
  /** Ticks or unticks rows; others stay as they are, on other pages too. */
  set: (rows: readonly Row[], selected: boolean) => void
  clear: () => void
}

/** Rows ticked in a list; the choice lasts across pages. */
export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<RowId, Row>>(new Map())
  const set = useCallback((rows: readonly Row[], selected: boolean) => {
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
      has: (id: RowId) => chosen.has(id),
      set,
      clear,
    }),
    [chosen, set, clear],
  )
}
