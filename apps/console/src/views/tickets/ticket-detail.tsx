import type { Ticket } from '@sallyport/contract/resources/tickets'
import { DetailPage } from '../../kit/detail/detail-page.tsx'
import { card, type Part } from '../../kit/detail/parts.tsx'
import { StatusTag } from '../../kit/status/status-tag.tsx'
import { toneOf } from '../../kit/status/tones.ts'
import { TicketComments, type TicketResource } from './ticket-comments.tsx'
import { TicketSteps } from './ticket-steps.tsx'

/** Somebody else may decide meanwhile. */
const refreshMs = 10_000

/** How some fields of every ticket are shown. */
export const shown = {
  status: ({ state }: Pick<Ticket, 'state'>) => (
    <StatusTag tone={toneOf('state', state) ?? 'neutral'}>{state.label}</StatusTag>
  ),
  applicant: ({ rel_snapshot: { applicant = '' } }: Pick<Ticket, 'rel_snapshot'>) => applicant,
}

const steps = card<Ticket>('tickets:ticketSteps', (row) => <TicketSteps ticket={row} />)
const messagesOf = (resource: TicketResource) =>
  card<Ticket>('tickets:ticketMessages', (row) => <TicketComments ticket={row} resource={resource} />)

interface TicketDetailProps<R extends Ticket> {
  resource: TicketResource
  info: Part<R>
  /** Below who is asked. */
  beside?: Part<R>
}

/** What is known of a ticket (`info`), what was said about it, and who is asked. */
export function TicketDetail<R extends Ticket>({ resource, info, beside }: TicketDetailProps<R>) {
  return (
    <DetailPage<R>
      resource={resource}
      can={{ update: false, remove: false }}
      called={(row) => row.title}
      refreshMs={refreshMs}
      tabs={[
        {
          name: 'TicketDetail',
          title: 'ticketDetail',
          main: [info, messagesOf(resource)],
          side: beside ? [steps, beside] : steps,
        },
      ]}
    />
  )
}
