import { Session } from '@sallyport/contract/resources/terminal'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../kit/api/call.ts'
import { useMessages } from '../../../kit/text.ts'

interface SessionsEndProps {
  users: readonly string[]
  /** Of the current organization only. */
  here?: boolean
}

/** In a question about people: how many live sessions end with it. */
export function SessionsEnd({ users, here = false }: SessionsEndProps) {
  const text = useMessages()
  const { data } = useQuery({
    queryKey: ['online-amount', users, here],
    queryFn: ({ signal }) => call(Session, 'onlineAmount', { body: { users, here } }, { signal }),
    // Asked anew with every question.
    gcTime: 0,
  })
  if (!data) {
    return null
  }
  return (
    <p role="status">
      {text(data.count === 0 ? 'console:noSessionsEnd' : 'console:sessionsEnd', { count: data.count })}
    </p>
  )
}
