import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { refuse, type Reply } from './recordings.ts'

const askedSchema = z.object({
  session_id: z.string(),
  cmd_filter_acl_id: z.string(),
  run_command: z.string(),
})

const loginSchema = z.object({ user_id: z.string(), asset_id: z.string(), account_username: z.string() })

interface TestTicket {
  id: string
  asked: z.output<typeof askedSchema> | z.output<typeof loginSchema>
  state: 'pending' | 'approved' | 'rejected' | 'closed'
  by: string
}

/** Commands and connections that were put to reviewers at the test server. */
export class TestReviews {
  readonly tickets: TestTicket[] = []
  /** Of every connection. */
  loginRule: 'reject' | 'review' | undefined
  /** Nobody can be asked. */
  isRefusing = false
  readonly #tell: (ticket: string) => void

  /** `tell`: says to who waits for it that a ticket is decided, or over. */
  constructor(tell: (ticket: string) => void) {
    this.#tell = tell
  }

  decide(state: 'approved' | 'rejected', by = 'Eve(eve)'): void {
    const ticket = this.tickets.at(-1)
    if (!ticket) return
    Object.assign(ticket, { state, by })
    this.#tell(ticket.id)
  }

  /** Nobody decided in time. */
  expire(): void {
    const ticket = this.tickets.at(-1)
    if (!ticket) return
    ticket.state = 'closed'
    this.#tell(ticket.id)
  }

  ask(json: unknown): Reply {
    if (this.isRefusing) return refuse(400, 'acl_review_unavailable', 'Nobody could decide')
    const { id, url } = this.#open(askedSchema.parse(json))
    const body = {
      check_ticket_api: { method: 'GET', url },
      close_ticket_api: { method: 'DELETE', url },
      ticket_detail_page_url: `https://bastion.example/ui/tickets/tickets/${id}?type=command_confirm`,
      assignees: ['Eve(eve)'],
    }
    return { status: 200, body }
  }

  askForLogin(json: unknown): Reply {
    if (this.loginRule !== 'review') return { status: 200, body: { need_review: false } }
    const { id, url } = this.#open(loginSchema.parse(json))
    const body = {
      need_review: true,
      check_review_status: { method: 'GET', url },
      close_review: { method: 'DELETE', url },
      ticket_detail_url: `https://bastion.example/ui/tickets/tickets/${id}?type=login_asset_confirm`,
      reviewers: ['Eve(eve)'],
      ticket_id: id,
    }
    return { status: 200, body }
  }

  /** Why nobody may connect with that ticket; undefined: they may. */
  refusal(ticket: unknown): Reply | undefined {
    if (this.loginRule === 'reject') return refuse(400, 'acl_reject', 'A login rule rejects this connection')
    const isApproved = this.tickets.some(({ id, state }) => id === ticket && state === 'approved')
    if (this.loginRule === undefined || isApproved) return undefined
    return refuse(400, 'acl_review', 'A login rule wants this connection approved')
  }

  #open(asked: TestTicket['asked']): { id: string; url: string } {
    const id = randomUUID()
    this.tickets.push({ id, asked, state: 'pending', by: '' })
    return { id, url: `/api/v1/tickets/super-tickets/${id}/status/` }
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
