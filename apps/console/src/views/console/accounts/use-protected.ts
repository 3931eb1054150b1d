import { useQuery } from '@tanstack/react-query'
import { withConfirmation } from '../../../kit/confirm/step-up.ts'

/** Reads what is protected: the person confirms who he is first. Nothing is kept once the dialog is gone. */
export function useProtected<T>(key: readonly unknown[], read: () => Promise<T>) {
  return useQuery({
    queryKey: ['protected', ...key],
    queryFn: () => withConfirmation(read),
    retry: false,
    gcTime: 0,
    staleTime: Infinity,
  })
}
