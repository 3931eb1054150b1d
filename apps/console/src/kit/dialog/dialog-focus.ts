import { useEffect, useState } from 'react'

/** Lists and menus that open at a control and close with the choice: focus that was in them belongs to the control. */
const passing = '.ant-dropdown, .ant-select-dropdown, .ant-picker-dropdown, [popover]'

let lastFocused: Element | null = null

// Screens are read without a page, too, where their addresses are tested.
globalThis.document?.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && !target.closest(passing)) {
    lastFocused = target
  }
})

/** Keeps the keyboard's focus in a dialog as long as it is there, and gives it back to what opened the dialog. */
export function useDialogFocus(): void {
  const [opener] = useState(() => lastFocused)
  useEffect(() => {
    const removeEnd = addEnd()
    return () => {
      removeEnd()
      // Not before the dialog is out of the page: it holds the focus to the last.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement && opener.isConnected) {
          opener.focus()
        }
      })
    }
  }, [opener])
}

/** Dialogs take back the focus that goes elsewhere in the page: behind their last control, too, there has to be something. */
function addEnd(): () => void {
  const end = document.createElement('span')
  end.tabIndex = 0
  document.documentElement.append(end)
  return () => end.remove()
}
