import { Button, Switch } from 'antd'
import { useState } from 'react'
import { useErrorToast } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import { Card } from './card.tsx'
import styles from './detail.module.css'

interface QuickActionBase {
  title: string
  disabled?: boolean
  hidden?: boolean
}

/** A line of the quick actions card: a switch that changes at once, or a button. */
export type QuickAction = QuickActionBase &
  (
    | { type: 'switch'; checked: boolean; run: (checked: boolean) => Promise<unknown> }
    | { type: 'button'; label: string; danger?: boolean; run: () => Promise<unknown> | void }
  )

export function QuickActions({ title, actions }: { title?: string; actions: readonly QuickAction[] }) {
  const t = useKitText()
  const shown = actions.filter((action) => !action.hidden)
  if (shown.length === 0) {
    return null
  }
  return (
    <Card title={title ?? t('quickUpdate')}>
      <div className={styles.quick}>
        {shown.map((action) => (
          <QuickLine key={action.title} action={action} />
        ))}
      </div>
    </Card>
  )
}

function QuickLine({ action }: { action: QuickAction }) {
  const [running, setRunning] = useState(false)
  const showError = useErrorToast()
  const run = async (work: () => Promise<unknown> | void) => {
    setRunning(true)
    try {
      await work()
    } catch (error) {
      showError(error)
    } finally {
      setRunning(false)
    }
  }
  return (
    <div>
      <span>{action.title}</span>
      {action.type === 'switch' ? (
        <Switch
          aria-label={action.title}
          checked={action.checked}
          loading={running}
          disabled={action.disabled}
          onChange={(checked) => void run(() => action.run(checked))}
        />
      ) : (
        <Button
          size="small"
          type="primary"
          danger={action.danger}
          loading={running}
          disabled={action.disabled}
          onClick={() => void run(action.run)}
        >
          {action.label}
        </Button>
      )}
    </div>
  )
}
