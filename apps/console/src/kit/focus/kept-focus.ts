import { useLayoutEffect } from 'react'

/** Lists and menus that open at a control and close with the choice: focus that was in them belongs to the control. */
const passing = '.ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown, [popover]'
const controls = 'a[href], button, input, select'

/** A part of the page whose rows come and go says how its rows are found. */
const areaMark = 'data-rows'

interface Place {
  area: Element
  row: Element
  /** The row's place among the others, and the control's in the row: -1 for the row itself. */
  rowAt: number
  controlAt: number
}

let lastFocused: Element | null = null
let lastPlace: Place | undefined

// Screens are read without a page, too, where their addresses are tested.
globalThis.document?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest(passing)) {
    lastFocused = target
    // A question about a row lies over the page, and what it is about is where the keyboard goes on.
    if (!target.closest('[role=dialog], .ant-modal-root')) lastPlace = placeOf(target)
  }
})

/** What had the keyboard's focus last, behind whatever opened there. */
export const focusedLast = (): Element | null => lastFocused

const rowsOf = (area: Element) => [...area.querySelectorAll<HTMLElement>(area.getAttribute(areaMark) ?? '')]
const controlsOf = (row: Element) =>
  [...row.querySelectorAll<HTMLElement>(controls)].filter((control) => !control.closest(passing))

function placeOf(target: Element): Place | undefined {
  const area = target.closest(`[${areaMark}]`)
  const rows = area ? rowsOf(area) : []
  const rowAt = rows.findIndex((row) => row.contains(target))
  const row = rows[rowAt]
  const controlAt = row && target instanceof HTMLElement ? controlsOf(row).indexOf(target) : -1
  return area && row ? { area, row, rowAt, controlAt } : undefined
}

/**
 * Where the focus went with its row, as of one that was deleted, it goes to the same control of the row that took its place, or of the last
 * one; where none is left, to what the list is searched with.
 */
export function mendFocus(): void {
  const place = lastPlace
  const isLost = document.activeElement === null || document.activeElement === document.body
  if (!place || !isLost || place.row.isConnected || !place.area.isConnected) return
  const rows = rowsOf(place.area)
  const row = rows[place.rowAt] ?? rows.at(-1)
  const control = row && controlsOf(row)[place.controlAt]
  const isOpen = control && control.tabIndex >= 0 && !control.matches(':disabled')
  const heir = isOpen ? control : (row ?? place.area.querySelector<HTMLElement>('input[enterkeyhint=search]'))
  heir?.focus({ preventScroll: true })
}

/** What an area of rows bears, so that the keyboard goes on in it when the row it was at is gone. `rows` finds them in it. */
export function useKeptFocus(rows: string): { [areaMark]: string } {
  useLayoutEffect(mendFocus)
  return { [areaMark]: rows }
}
