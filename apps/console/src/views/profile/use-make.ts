import type { Resource } from '@sallyport/contract/resource/resource'
import { useQueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../kit/api/keys.ts'
import { withConfirmation } from '../../kit/confirm/step-up.ts'
import { useErrorToast } from '../../kit/feedback/errors.ts'

/** Makes a row nothing has to be filled in for, once the person has confirmed who they are; its list is asked for again. */
export function useMake<Made>(
  { path }: Resource,
  create: () => Promise<Made>,
  onMade?: (made: Made) => void,
): () => void {
  const client = useQueryClient()
  const showError = useErrorToast()
  const make = async () => {
    try {
      const made = await withConfirmation(create)
      onMade?.(made)
      await client.invalidateQueries({ queryKey: queryKeys.resource(path) })
    } catch (error) {
      showError(error)
    }
  }
  return () => void make()
}
