import { Licence } from '@sallyport/contract/resources/license'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useAccess } from '../access/access.ts'
import { readOne } from '../api/one.ts'
import { useSession } from './session.ts'

const key = ['licence']

/** The licence and how much of it is used; undefined for people who have no say in it. */
export function useLicence(): Licence | undefined {
  const { settings } = useSession()
  const { can } = useAccess()
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => readOne(Licence, { signal }),
    enabled: settings.XPACK_ENABLED && can('settings.change_license'),
    staleTime: Infinity,
  })
  return data
}

/** Reads it again, wherever it is shown. */
export const refreshLicence = (client: QueryClient) => client.invalidateQueries({ queryKey: key })
