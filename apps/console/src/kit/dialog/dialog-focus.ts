import { useEffect, useState } from 'react'
import { focusedLast, mendFocus } from '../focus/kept-focus.ts'

/** Keeps the keyboard's focus in a dialog as long as it is there, and gives it back to what opened the dialog. */
export function useDialogFocus(): void {
  const [opener] = useState(focusedLast)
  useEffect(() => {
    const removeEnd = addEnd()
    return () => {
      removeEnd()
      // Not before the dialog is out of the page: it holds the focus to the last.
      setTimeout(() => {
        const isLost = document.activeElement === null || document.activeElement === document.body
        if (isLost && opener instanceof HTMLElement && opener.isConnected) {
          opener.focus()
        } else {
          mendFocus()
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
