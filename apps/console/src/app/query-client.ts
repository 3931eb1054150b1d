import { hashKey, QueryClient } from '@tanstack/react-query'
import { currentSession } from '../kit/session/session.ts'

/**
 * Server state of the page, kept apart for each organization. Calls are not retried: the person sees the error and
 * decides.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      queryKeyHashFn: (key) => hashKey([currentSession()?.organization?.id, key]),
    },
    mutations: { retry: false },
  },
})
