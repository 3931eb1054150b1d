import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../../kit/access/access.ts'
import { api } from '../../kit/api/client.ts'
import { useSession } from '../../kit/session/session.ts'
import type { Licence } from './expiry.ts'

/** The licence and how much of it is used; undefined for people who have no say in it. */
export function useLicence(): Licence | undefined {
  const { settings } = useSession()
  const { can } = useAccess()
  const { data } = useQuery({
    queryKey: ['licence'],
    queryFn: ({ signal }) => api.get<Licence>('xpack/license/detail/', { signal }),
    enabled: settings.XPACK_ENABLED && can('settings.change_license'),
    staleTime: Infinity,
  })
  return data
}
