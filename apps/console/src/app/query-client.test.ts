import { afterEach, expect, test } from 'vitest'
import { queryKeys } from '../kit/api/keys.ts'
import { type Session, setSession } from '../kit/session/session.ts'
import { organizations } from '../testing/fixture-server.ts'
import { queryClient } from './query-client.ts'

const enter = (organization: keyof typeof organizations) =>
  setSession({ organization: organizations[organization] } as unknown as Session)

afterEach(() => {
  setSession(null)
  queryClient.clear()
})

test('what was read in one organization is not shown in another', async () => {
  const queryKey = queryKeys.list('users/groups', {})
  const rowsOf = (name: string) =>
    queryClient.fetchQuery({ queryKey, queryFn: () => Promise.resolve(name), staleTime: Infinity })
  enter('plant')
  expect(await rowsOf('rows of the plant')).toBe('rows of the plant')
  enter('standard')
  expect(await rowsOf('rows of the default')).toBe('rows of the default')
  enter('plant')
  expect(await rowsOf('never asked')).toBe('rows of the plant')
})
