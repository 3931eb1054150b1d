import { hashKey, QueryClient } from '@tanstack/react-query'
import { callsAtOnce } from '../kit/api/calls-at-once.ts'
import { currentSession } from '../kit/session/session.ts'

/** Server state of the page, kept apart for each organization. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...callsAtOnce.queries,
      queryKeyHashFn: (key) => hashKey([currentSession()?.organization?.id, key]),
    },
    mutations: callsAtOnce.mutations,
  },
})
