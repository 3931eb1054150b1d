import { Licence } from '@sallyport/contract/resources/settings'
import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../../kit/access/access.ts'
import { readOne } from '../../kit/api/one.ts'
import { useSession } from '../../kit/session/session.ts'

/** The licence and how much of it is used; undefined for people who have no say in it. */
export function useLicence(): Licence | undefined {
  const { settings } = useSession()
  const { can } = useAccess()
  const { data } = useQuery({
    queryKey: ['licence'],
    queryFn: ({ signal }) => readOne(Licence, { signal }),
    enabled: settings.XPACK_ENABLED && can('settings.change_license'),
    staleTime: Infinity,
  })
  return data
}
