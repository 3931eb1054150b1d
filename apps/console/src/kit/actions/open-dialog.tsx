import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'

let current: ReactNode = null
const listeners = new Set<() => void>()

function show(dialog: ReactNode): void {
  current = dialog
  for (const listener of listeners) {
    listener()
  }
}

const close = () => show(null)

/** Opens a dialog on the page shown. */
export function openDialog(dialog: (close: () => void) => ReactNode): void {
  show(dialog(close))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where the dialogs of actions appear; they go with the page. */
export function ActionDialogs() {
  const dialog = useSyncExternalStore(subscribe, () => current)
  useEffect(() => close, [])
  return <Suspense>{dialog}</Suspense>
}
