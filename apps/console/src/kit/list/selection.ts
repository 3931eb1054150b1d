import { useState, useSyncExternalStore } from 'react'
import type { Row, RowId } from '../api/resource.ts'

/** Rows ticked in a list; the choice lasts across pages. Who shows a part of it is drawn again when that part changes, and nobody else. */
export class Selection {
  #chosen: ReadonlyMap<RowId, Row> = new Map()
  #rows: readonly Row[] = []
  readonly #listeners = new Set<() => void>()
  readonly #isClosed: (row: Row) => boolean

  /** `isClosed`: rows that cannot be ticked. */
  constructor(isClosed: (row: Row) => boolean = () => false) {
    this.#isClosed = isClosed
  }

  /** Those that can be ticked. */
  readonly open = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => !this.#isClosed(row))

  /** The ticked rows; the same array until another one is ticked. */
  get rows(): readonly Row[] {
    return this.#rows
  }

  readonly has = (id: RowId): boolean => this.#chosen.has(id)

  /** Ticks or unticks rows; others stay as they are, on other pages too. */
  readonly set = (rows: readonly Row[], selected: boolean): void => {
    const next = new Map(this.#chosen)
    for (const row of selected ? this.open(rows) : rows) {
      if (selected) {
        next.set(row.id, row)
      } else {
        next.delete(row.id)
      }
    }
    this.#replace(next)
  }

  readonly clear = (): void => {
    if (this.#chosen.size > 0) {
      this.#replace(new Map())
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #replace(chosen: ReadonlyMap<RowId, Row>): void {
    this.#chosen = chosen
    this.#rows = [...chosen.values()]
    for (const listener of this.#listeners) {
      listener()
    }
  }
}

/** The choice of rows of one list, for as long as the list is there. */
export const useSelection = (): Selection => useState(() => new Selection())[0]

const never = () => () => undefined

/** Whether a row is ticked; without a choice none is. */
export const useTicked = (selection: Selection | undefined, id: RowId): boolean =>
  useSyncExternalStore(selection?.subscribe ?? never, () => selection?.has(id) === true)

/** A part of a choice of rows; draws again only when that part is another. `select` must not make new objects. */
export function useSelected<T>(selection: Selection, select: (selection: Selection) => T): T {
  return useSyncExternalStore(selection.subscribe, () => select(selection))
}
