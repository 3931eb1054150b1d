import type { Ticket, TicketStep } from '@sallyport/contract/resources/tickets'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { showDateTime } from '../../kit/dates/dates.ts'
import { type DetailLine, Lines } from '../../kit/detail/lines.tsx'
import { useMessages } from '../../kit/text.ts'
import styles from './tickets.module.css'

const mostShown = 4

/** Who asked, who is or was asked on each level, and the end. */
export function TicketSteps({ ticket }: { ticket: Ticket }) {
  const t = useMessages()
  const levels = ticket.process_map.toSorted((one, other) => one.approval_level - other.approval_level)
  const isFinished = ticket.status.value === 'closed'
  const current = isFinished ? undefined : ticket.approval_step.value
  return (
    <ol className={styles.steps}>
      <Step isDone title={t('tickets:ticketOpened', { title: ticket.title })}>
        <Lines
          lines={[
            {
              key: 'applicant',
              label: t('tickets:ticketApplicant'),
              value: ticket.rel_snapshot['applicant'],
            },
            dateLine('created', t('tickets:ticketDateOpened'), ticket.date_created),
          ]}
        />
      </Step>
      {levels.map((step) => (
        <Step
          key={step.approval_level}
          isDone={step.state !== 'pending'}
          isCurrent={step.approval_level === current}
          title={t('tickets:ticketHandled')}
        >
          <Level step={step} />
        </Step>
      ))}
      <Step isDone={isFinished} title={t('tickets:ticketFinished')}>
        {isFinished && (
          <Lines lines={[dateLine('finished', t('tickets:ticketDateFinished'), ticket.date_updated)]} />
        )}
      </Step>
    </ol>
  )
}

const dateLine = (key: string, label: string, value: string): DetailLine => ({
  key,
  label,
  value: showDateTime(value),
})

interface StepProps {
  title: string
  isDone: boolean
  isCurrent?: boolean
  children: ReactNode
}

function Step({ title, isDone, isCurrent = false, children }: StepProps) {
  return (
    <li data-done={isDone || undefined} aria-current={isCurrent ? 'step' : undefined}>
      <strong>{title}</strong>
      {children}
    </li>
  )
}

function Level({ step }: { step: TicketStep }) {
  const t = useMessages()
  const [isOpen, setOpen] = useState(false)
  const { assignees_display: all } = step
  const names = (shown: readonly string[]) => shown.map((name) => <div key={name}>{name}</div>)
  const lines: DetailLine[] = [
    { key: 'assignees', label: t('tickets:ticketAssignees'), value: names(all.slice(0, mostShown)) },
  ]
  if (step.state !== 'pending')
    lines.push(
      { key: 'processor', label: t('tickets:ticketAssignee'), value: step.processor_display },
      dateLine('finished', t('tickets:ticketDateFinished'), step.approval_date),
    )
  return (
    <>
      <Lines lines={lines} />
      {all.length > mostShown && (
        <Button type="link" size="small" onClick={() => setOpen(true)}>
          {t('tickets:ticketMoreAssignees')}
        </Button>
      )}
      {isOpen && (
        <Dialog title={t('tickets:ticketAllAssignees')} footer={null} onCancel={() => setOpen(false)}>
          {names(all)}
        </Dialog>
      )}
    </>
  )
}
