import type { ReactNode } from 'react'
import { ToastHost } from '../feedback/toast-host.tsx'
import { useThemeProperties } from './tokens.ts'

/** What the kit needs around every page: theme properties and the place for toasts. Mount inside ConfigProvider. */
export function KitRoot({ children }: { children: ReactNode }) {
  useThemeProperties()
  return (
    <>
      {children}
      <ToastHost />
    </>
  )
}
