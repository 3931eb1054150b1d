import type { ReactNode } from 'react'
import { AskHost } from '../confirm/ask-host.tsx'
import '../focus/kept-focus.ts'
import { StepUpHost } from '../confirm/step-up-host.tsx'
import { ToastHost } from '../feedback/toast-host.tsx'
import './kit.css'

/** What the kit needs around every page: theme properties, the places for questions and toasts. Mount inside ConfigProvider. */
export function KitRoot({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <AskHost />
      <StepUpHost />
      <ToastHost />
    </>
  )
}
