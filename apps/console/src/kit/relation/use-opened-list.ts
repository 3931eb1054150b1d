import { type KeyboardEvent, useState } from 'react'

/**
 * Whether the list of a select is open. Tab leads on and closes it: of itself a list takes Tab for choosing its active row, and takes away
 * the one that was just chosen.
 */
export function useOpenedList() {
  const [open, setOpen] = useState(false)
  const onInputKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Tab' || !open) return
    event.stopPropagation()
    setOpen(false)
  }
  return { open, onOpenChange: setOpen, onInputKeyDown }
}
