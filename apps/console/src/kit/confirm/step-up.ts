import { ApiError, type ConfirmType } from '../api/errors.ts'

/** The person closed the confirmation: nothing was done, and nothing needs to be said. */
export class ConfirmationCancelled extends Error {
  constructor() {
    super('The confirmation was cancelled')
    this.name = 'ConfirmationCancelled'
  }
}

export interface StepUpRequest {
  type: ConfirmType
  confirmed: () => void
  cancelled: () => void
}

let current: StepUpRequest | undefined
const listeners = new Set<() => void>()

/**
 * Does something sensitive. When the server first wants to know again who is sitting there, a dialog asks, and it is
 * done once more. Rejects with ConfirmationCancelled when the person closes the dialog.
 */
export async function withConfirmation<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    const type = error instanceof ApiError ? error.confirmType : undefined
    if (!type) {
      throw error
    }
    await confirmIdentity(type)
    return action()
  }
}

function confirmIdentity(type: ConfirmType): Promise<void> {
  return new Promise((resolve, reject) => {
    // A second request takes the place of the first, which is given up.
    current?.cancelled()
    const end = (settle: () => void) => () => {
      current = undefined
      announce()
      settle()
    }
    current = { type, confirmed: end(resolve), cancelled: end(() => reject(new ConfirmationCancelled())) }
    announce()
  })
}

function announce(): void {
  for (const listener of listeners) {
    listener()
  }
}

export function currentStepUp(): StepUpRequest | undefined {
  return current
}

export function subscribeToStepUp(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
