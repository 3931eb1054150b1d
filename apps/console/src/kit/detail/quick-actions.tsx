import type { Resource } from '@sallyport/contract/resource/resource'
import { Button, Switch } from 'antd'
import { useId, useState } from 'react'
import { useAccess } from '../access/access.ts'
import type { Action, Subject } from '../actions/action.ts'
import { isOffered, isOpen, refusalOf, titleOf } from '../actions/action-state.ts'
import { disableAction } from '../actions/usual-actions.ts'
import { useRunAction } from '../actions/use-run-action.ts'
import { useSave } from '../api/hooks.ts'
import type { RowFor } from '../api/names.ts'
import { useErrorToast } from '../feedback/errors.ts'
import { type TextKey, useMessages } from '../text.ts'
import { Card } from './card.tsx'
import { QuickLine, QuickLines } from './quick-lines.tsx'

/** A yes or no of the row that is changed by a switch, at once. */
export interface Toggle<R extends Subject> {
  field: { [K in keyof R]: R[K] extends boolean ? K : never }[keyof R] & string
  title: TextKey
  when?: (row: R) => boolean
  /** What switching it off does, where it asks in its own words. */
  off?: Action<R>
}

export interface QuickActionsProps<T extends Resource> {
  title?: TextKey
  resource: T
  row: RowFor<T>
  toggles?: readonly Toggle<RowFor<T>>[]
  /** By a function where they depend on the row. */
  actions?: readonly Action<RowFor<T>>[] | ((row: RowFor<T>) => readonly Action<RowFor<T>>[])
}

/** What can be done with a row at once: a switch for each toggle, a button for each action. */
export function QuickActions<T extends Resource>(props: QuickActionsProps<T>) {
  const { title = 'kit:quickUpdate', resource, row, toggles = [], actions = [] } = props
  const id = useId()
  const text = useMessages()
  const access = useAccess()
  const run = useRunAction(resource)
  const save = useSave(resource.path)
  const showError = useErrorToast()
  const rooted = resource.scope === 'org' && access.inRoot
  const mayChange = !rooted && access.canDo('change', resource)
  const set = (field: string, checked: boolean) =>
    save.mutateAsync({ id: row.id, method: 'PATCH', values: { [field]: checked } })
  const change = ({ field, off }: Toggle<RowFor<T>>, checked: boolean) => {
    if (field === 'is_active' && !checked) {
      void run({ ...(off ?? disableAction(resource)), call: () => set(field, checked) }, [row])
    } else {
      set(field, checked).catch(showError)
    }
  }
  const declared = typeof actions === 'function' ? actions(row) : actions
  const shown = declared.filter((action) => action.hidden?.(access) !== true)
  if (toggles.length + shown.length === 0) {
    return null
  }
  return (
    <Card title={text(title)}>
      <QuickLines>
        {toggles.map((toggle) => (
          <QuickLine key={toggle.field} title={text(toggle.title)}>
            <Switch
              aria-label={text(toggle.title)}
              checked={row[toggle.field] === true}
              loading={save.isPending}
              disabled={!mayChange || toggle.when?.(row) === false}
              onChange={(checked) => change(toggle, checked)}
            />
          </QuickLine>
        ))}
        {shown.map((action) => (
          <QuickLine key={action.name} title={text(titleOf(action, row))} titleId={`${id}-${action.name}`}>
            <ActionButton
              title={text(titleOf(action, row))}
              titleId={`${id}-${action.name}`}
              label={text(action.label ?? titleOf(action, row))}
              why={refusalOf(action, row)}
              danger={action.danger}
              disabled={!isOffered(action, access) || !isOpen(action, row, access)}
              run={() => run(action, [row])}
            />
          </QuickLine>
        ))}
      </QuickLines>
    </Card>
  )
}

interface ActionButtonProps {
  /** What it is about, as it stands in the line. */
  title: string
  titleId: string
  label: string
  why: string | undefined
  danger: boolean | undefined
  disabled: boolean
  run: () => Promise<void>
}

function ActionButton({ title, titleId, label, why, danger, disabled, run }: ActionButtonProps) {
  const id = useId()
  const [running, setRunning] = useState(false)
  const start = async () => {
    setRunning(true)
    await run()
    setRunning(false)
  }
  return (
    <Button
      id={id}
      aria-labelledby={title.includes(label) ? titleId : `${id} ${titleId}`}
      size="small"
      type="primary"
      danger={danger}
      title={why}
      loading={running}
      disabled={disabled}
      onClick={() => void start()}
    >
      {label}
    </Button>
  )
}
