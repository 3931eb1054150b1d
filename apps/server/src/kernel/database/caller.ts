import { AsyncLocalStorage } from 'node:async_hooks'

const here = new AsyncLocalStorage<AbortSignal | undefined>()

/** What is read in `work` is read for a caller who may go: then its connections are closed, and the database stops. */
export const readForCaller = <T>(isGone: AbortSignal, work: () => Promise<T>): Promise<T> =>
  here.run(isGone, work)

/** What others wait for, too, goes on without the caller who was first to ask for it. */
export const readForAll = <T>(work: () => T): T => here.run(undefined, work)

/** Aborted when the caller this is read for has gone; undefined where nobody in particular waits for it. */
export const callerHere = (): AbortSignal | undefined => here.getStore()
