import type { DefaultOptions } from '@tanstack/react-query'

/**
 * Calls are made when they are asked for or not at all, and not retried: the person sees the error and decides. Without a network a call
 * would else wait for one unseen, and be made after the person has cancelled it.
 */
export const callsAtOnce = {
  queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false, refetchOnReconnect: true },
  mutations: { networkMode: 'always', retry: false },
} as const satisfies DefaultOptions
