import { type Ticket, TicketComment, Ticket as Tickets } from '@sallyport/contract/resources/tickets'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { type MouseEvent, useRef, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { queryKeys } from '../../kit/api/keys.ts'
import { listPath, type ResourceRef } from '../../kit/api/resource.ts'
import { Time } from '../../kit/dates/time.tsx'
import { describeError, useErrorToast } from '../../kit/feedback/errors.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { useSession } from '../../kit/session/session.ts'
import { useKitText, useMessages } from '../../kit/text.ts'
import { useUnsaved } from '../../kit/unsaved/unsaved.ts'
import styles from './tickets.module.css'

const longest = 4096
/** Tickets of any type: the same is done to all. */
export type TicketResource = ResourceRef & Pick<typeof Tickets, 'calls'>
type Decision = 'approve' | 'reject' | 'close'

/** What was said about a ticket; and what this person can say, and decide. `resource` is that of its type. */
export function TicketComments({ ticket, resource }: { ticket: Ticket; resource: TicketResource }) {
  const t = useMessages()
  const { profile } = useSession()
  const [text, setText] = useState('')
  const { busy, decide, reply } = useDeciding(ticket, resource, () => setText(''))
  const step = ticket.process_map.find(({ approval_level: level }) => level === ticket.approval_step.value)
  const isApplicant = ticket.applicant?.id === profile.id
  const isAsked = !isApplicant && step?.assignees.includes(profile.id) === true
  const isClosed = ticket.status.value === 'closed'
  useUnsaved(text.trim() !== '' && !isClosed)
  const messages = useRef<HTMLDivElement>(null)
  /** What was pressed is closed meanwhile, and lets go of the focus: it has it again, or where it is done for good, what came of it. */
  const returnFocus = (to: HTMLElement | null) =>
    setTimeout(() => document.activeElement === document.body && to?.focus())
  const common = { disabled: isClosed || busy !== undefined }
  const on = (what: Decision) => ({
    ...common,
    loading: busy === what,
    onClick: async ({ currentTarget }: MouseEvent<HTMLElement>) => {
      const isDone = await decide(what, text)
      returnFocus(isDone ? messages.current : currentTarget)
    },
  })
  return (
    <div
      ref={messages}
      role="group"
      aria-label={t('tickets:ticketMessages')}
      tabIndex={-1}
      className={styles.messages}
    >
      <Comments ticket={ticket} />
      <Input.TextArea
        aria-label={t('tickets:ticketReply')}
        placeholder={t('tickets:ticketReply')}
        rows={4}
        maxLength={longest}
        value={text}
        disabled={isClosed}
        onChange={(event) => setText(event.target.value)}
      />
      <div className={styles.buttons}>
        {isAsked && (
          <>
            <Button type="primary" {...on('approve')}>
              {t('tickets:ticketAccept')}
            </Button>
            <Button danger {...on('reject')}>
              {t('tickets:ticketReject')}
            </Button>
          </>
        )}
        {isApplicant && (
          <Button danger {...on('close')}>
            {t('tickets:ticketClose')}
          </Button>
        )}
        <Button
          {...common}
          loading={busy === 'reply'}
          onClick={({ currentTarget }) => void reply(text).then(() => returnFocus(currentTarget))}
        >
          {t('tickets:ticketReply')}
        </Button>
      </div>
    </div>
  )
}

/** What is decided and said; lists, the badge and the page follow. `onSaid` hears when a text is among the comments, whatever came of the rest. */
function useDeciding({ id }: Ticket, resource: TicketResource, onSaid: () => void) {
  const t = useMessages()
  const client = useQueryClient()
  const showError = useErrorToast()
  const [busy, setBusy] = useState<Decision | 'reply'>()
  const say = async (text: string) => {
    const body = { body: text.trim(), ticket: id }
    if (body.body === '') return
    await call(TicketComment, 'create', { body, query: { ticket_id: id } })
    onSaid()
  }
  const attempt = async (what: Decision | 'reply', work: () => Promise<unknown>) => {
    let isDone = false
    setBusy(what)
    try {
      await work()
      isDone = true
      if (what !== 'reply') toast.success(t('tickets:ticketDone'))
    } catch (failure) {
      showError(failure)
    }
    await Promise.all(
      [resource.path, Tickets.path, TicketComment.path].map((one) =>
        client.invalidateQueries({ queryKey: queryKeys.resource(listPath(one)) }),
      ),
    )
    setBusy(undefined)
    return isDone
  }
  return {
    busy,
    decide: (what: Decision, text: string) =>
      attempt(what, async () => {
        // Nothing is said of what somebody else has decided meanwhile.
        await call(resource, what, { id })
        await say(text)
      }),
    reply: (text: string) => attempt('reply', () => say(text)),
  }
}

function Comments({ ticket: { id, state } }: { ticket: Ticket }) {
  const t = useMessages()
  const kit = useKitText()
  const { data, error } = useQuery({
    // What was decided is said here, too.
    queryKey: [...queryKeys.resource(listPath(TicketComment.path)), id, state.value],
    queryFn: async ({ signal }) => {
      const listed = await call(TicketComment, 'list', { query: { ticket_id: id } }, { signal })
      return Array.isArray(listed) ? listed : listed.results
    },
  })
  if (error)
    return (
      <p className={styles.none} role="alert">
        {describeError(error, kit)}
      </p>
    )
  if (data?.length === 0) return <p className={styles.none}>{t('tickets:ticketNoMessages')}</p>
  return (
    <ol className={styles.comments}>
      {data?.map((comment) => (
        <li key={comment.id}>
          <header>
            <strong>{comment.user_display}</strong> <Time value={comment.date_created} />
          </header>
          <p>{comment.body}</p>
        </li>
      ))}
    </ol>
  )
}
