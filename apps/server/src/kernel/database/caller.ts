import { AsyncLocalStorage } from 'node:async_hooks'
import { workFor } from './shares.ts'

const here = new AsyncLocalStorage<AbortSignal | undefined>()

/** `work` is done for a caller who may go: then its connections are closed, and the database stops. */
export const workForCaller = <T>(isGone: AbortSignal, work: () => Promise<T>): Promise<T> =>
  here.run(isGone, work)

/** What others wait for, too, goes on without the caller who was first to ask for it, and takes no connection of theirs. */
export const workForAll = <T>(work: () => T): T => workFor(undefined, () => here.run(undefined, work))

/** Aborted when the caller this is done for has gone; undefined where nobody in particular waits for it. */
export const callerHere = (): AbortSignal | undefined => here.getStore()
