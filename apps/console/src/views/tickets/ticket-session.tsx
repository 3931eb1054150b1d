import { TerminalTask } from '@sallyport/contract/resources/components'
import { Session } from '@sallyport/contract/resources/terminal'
import { TicketSessions } from '@sallyport/contract/resources/ticket-sessions'
import type { ApplyLoginAssetTicket } from '@sallyport/contract/resources/tickets'
import { useQuery } from '@tanstack/react-query'
import type { Action } from '../../kit/actions/action.ts'
import { call } from '../../kit/api/call.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { queryKeys } from '../../kit/api/keys.ts'
import { TitledCard } from '../../kit/detail/card.tsx'
import { Lines } from '../../kit/detail/lines.tsx'
import { type Part, quick } from '../../kit/detail/parts.tsx'
import { StatusTag } from '../../kit/status/status-tag.tsx'
import { AccountName } from '../../asset-words/account-text.tsx'
import { openMonitor } from '../../kit/terminal/session-windows.ts'
import { useMessages } from '../../kit/text.ts'

/** Whoever was let in connects within minutes, */
const waitingMs = 1400
/** and then stays for some time. */
const runningMs = 5000

/** What those who were asked can do with it, without rights to sessions otherwise. */
const actionsOf = (ticketId: string): readonly Action<Session>[] => [
  {
    name: 'terminate',
    title: 'terminate',
    danger: true,
    when: (session) => session.can_terminate,
    confirm: {
      reason: 'optional',
      content: (_sessions, text) => text('terminateReasonHint'),
      title: ([session], text) =>
        text('terminateQuestion', { user: session?.user ?? '', asset: session?.asset ?? '' }),
    },
    call: (sessions, { reason }) =>
      call(TerminalTask, 'killForTicket', { body: { sessions: sessions.map(({ id }) => id), reason } }),
    done: 'terminateSent',
  },
  {
    name: 'monitor',
    title: 'monitor',
    when: (session) => session.can_join,
    call: ([session]) => session && openMonitor(session.id, ticketId),
    refreshes: [],
  },
]

/** The session that came of a ticket, once there is one. */
function TicketSession({ ticketId }: { ticketId: string }) {
  const t = useMessages()
  const { data: session } = useQuery({
    queryKey: [...queryKeys.resource(Session.path), 'of ticket', ticketId],
    queryFn: async ({ signal }) => {
      try {
        return await call(TicketSessions, 'session', { id: ticketId }, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    refetchInterval: ({ state: { data } }) => (data ? (data.is_finished ? false : runningMs) : waitingMs),
  })
  if (!session) return null
  return (
    <>
      <TitledCard title="tickets:ticketSession">
        <Lines
          lines={[
            { key: 'id', label: t('tickets:ticketSessionId'), value: session.id },
            { key: 'asset', label: t('tickets:ticketSessionAsset'), value: session.asset },
            {
              key: 'account',
              label: t('tickets:ticketSessionAccount'),
              value: <AccountName row={session} />,
            },
            { key: 'protocol', label: t('tickets:ticketSessionProtocol'), value: session.protocol },
            { key: 'address', label: t('tickets:ticketSessionAddress'), value: session.remote_addr },
            {
              key: 'state',
              label: t('tickets:ticketSessionState'),
              value: (
                <StatusTag tone={session.is_finished ? 'error' : 'running'}>
                  {t(session.is_finished ? 'tickets:ticketSessionFinished' : 'tickets:ticketSessionRunning')}
                </StatusTag>
              ),
            },
          ]}
        />
      </TitledCard>
      {quick(Session, { title: 'tickets:ticketSessionActions', actions: actionsOf(ticketId) }).show(session)}
    </>
  )
}

export const ticketSession: Part<ApplyLoginAssetTicket> = {
  show: ({ id, state }) => (state.value === 'approved' ? <TicketSession ticketId={id} /> : null),
}
