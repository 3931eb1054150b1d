import type { ReactNode } from 'react'

export type ToastKind = 'success' | 'info' | 'warning' | 'error'

export interface Toast {
  id: number
  kind: ToastKind
  content: ReactNode
}

const shownMs: Record<ToastKind, number> = { success: 3000, info: 3000, warning: 5000, error: 5000 }

let current: Toast | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let count = 0
const listeners = new Set<() => void>()

function show(kind: ToastKind, content: ReactNode, forMs: number = shownMs[kind]): void {
  count += 1
  current = { id: count, kind, content }
  wait(forMs)
  announce()
}

function wait(forMs: number): void {
  clearTimeout(timer)
  timer = setTimeout(dismissToast, forMs)
}

function announce(): void {
  for (const listener of listeners) {
    listener()
  }
}

/** A short message at the top of the page. Only one is shown at a time: a new one takes the place of the last. */
export const toast = {
  success: (content: ReactNode, forMs?: number) => show('success', content, forMs),
  info: (content: ReactNode) => show('info', content),
  warning: (content: ReactNode) => show('warning', content),
  error: (content: ReactNode) => show('error', content),
}

/** Takes the current message away. */
export function dismissToast(): void {
  clearTimeout(timer)
  current = undefined
  announce()
}

/** Keeps the current message while somebody reads it; call the answer to let it go. */
export function holdToast(): () => void {
  clearTimeout(timer)
  return () => wait(shownMs.success)
}

export function currentToast(): Toast | undefined {
  return current
}

export function subscribeToToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
