import { QueryClient } from '@tanstack/react-query'

/** Server state of the page. Calls are not retried: the person sees the error and decides. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})
