import { useState } from 'react'
import { useMetadata } from '../api/hooks.ts'
import type { FieldMetas, WriteMethod } from '../api/metadata.ts'

/**
 * The description of the fields to write at an address. While another description is under way, or could not be read,
 * the last one stays, so that a form never goes from under what is typed. `forbidden`: nobody may write there so.
 */
export function useMetas(address: string, method: WriteMethod) {
  const metadata = useMetadata(address)
  const current: FieldMetas | undefined = metadata.data?.actions?.[method]
  const [last, setLast] = useState(current)
  if (current && current !== last) {
    setLast(current)
  }
  return {
    metas: current ?? last,
    forbidden: metadata.data !== undefined && current === undefined,
    error: metadata.isFetching ? null : metadata.error,
    retry: () => void metadata.refetch(),
  }
}
