import { useEffect, useState } from 'react'

/** Lists that open at a control and close with the choice: focus that was in them belongs to the control. */
const passing = '.ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown'

let lastFocused: Element | null = null

// Screens are read without a page, too, where their addresses are tested.
globalThis.document?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest(passing)) {
    lastFocused = target
  }
})

/** Gives the keyboard's focus back to what opened a dialog, when the dialog goes. */
export function useFocusReturn(): void {
  const [opener] = useState(() => lastFocused)
  useEffect(
    () => () => {
      // Not before the dialog is out of the page: it holds the focus to the last.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement && opener.isConnected) {
          opener.focus()
        }
      })
    },
    [opener],
  )
}
