import type { ReactNode } from 'react'

export interface Question {
  title: string
  content?: ReactNode
  /** Text of the button that goes ahead; "Confirm" unless said. */
  confirmText?: string
  /** Text of the button that does not; "Cancel" unless said. */
  cancelText?: string
  /** Going ahead destroys something. */
  danger?: boolean
  /** Asks why as well. */
  reason?: 'optional' | 'required'
  /** Said before the reason when it fails. */
  failed?: string | undefined
  /** What has to be typed before going ahead. */
  typed?: string
  /** Done while the dialog waits; when it fails the dialog stays and tells why. */
  onConfirm: (given: { reason: string }) => Promise<unknown> | void
  onCancel?: (() => void) | undefined
}

let current: Question | undefined
const listeners = new Set<() => void>()

/** Asks the person before something that is hard to take back. */
export function ask(question: Question): void {
  current = question
  announce()
}

/** Puts the question away. */
export function endQuestion(): void {
  current = undefined
  announce()
}

function announce(): void {
  for (const listener of listeners) {
    listener()
  }
}

export function currentQuestion(): Question | undefined {
  return current
}

export function subscribeToQuestion(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
