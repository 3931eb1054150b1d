import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { refuse, type Reply } from './recordings.ts'

const askedSchema = z.object({
  session_id: z.string(),
  cmd_filter_acl_id: z.string(),
  run_command: z.string(),
})

interface TestTicket {
  id: string
  asked: z.output<typeof askedSchema>
  state: 'pending' | 'approved' | 'rejected' | 'closed'
  by: string
}

/** Commands that were put to reviewers at the test server. */
export class TestReviews {
  readonly tickets: TestTicket[] = []
  /** Nobody can be asked. */
  isRefusing = false

  decide(state: 'approved' | 'rejected', by = 'Eve(eve)'): void {
    const ticket = this.tickets.at(-1)
    if (ticket) Object.assign(ticket, { state, by })
  }

  ask(json: unknown): Reply {
    if (this.isRefusing) return refuse(400, 'acl_review_unavailable', 'Nobody could decide')
    const ticket: TestTicket = { id: randomUUID(), asked: askedSchema.parse(json), state: 'pending', by: '' }
    this.tickets.push(ticket)
    const url = `/api/v1/tickets/super-tickets/${ticket.id}/status/`
    const body = {
      check_ticket_api: { method: 'GET', url },
      close_ticket_api: { method: 'DELETE', url },
      ticket_detail_page_url: `https://bastion.example/ui/tickets/tickets/${ticket.id}?type=command_confirm`,
      assignees: ['Eve(eve)'],
    }
    return { status: 200, body }
  }

  status(id: string): Reply {
    const ticket = this.tickets.find((one) => one.id === id)
    if (!ticket) return refuse(404, 'not_found', 'Not found')
    const { state, by } = ticket
    const status = state === 'pending' ? 'open' : 'closed'
    return {
      status: 200,
      body: {
        id,
        state: { value: state, label: state },
        status: { value: status, label: status },
        processor: by,
      },
    }
  }

  close(id: string): Reply {
    const ticket = this.tickets.find((one) => one.id === id)
    if (ticket) ticket.state = 'closed'
    return { status: 204, body: undefined }
  }
}
