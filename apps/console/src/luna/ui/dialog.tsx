import { type ReactNode, type SubmitEvent, useEffect, useId, useRef } from 'react'
import { useText } from '../text.ts'
import { Button, IconButton } from './button.tsx'

interface DialogProps {
  title: string
  children: ReactNode
  onClose: () => void
  /** With it the dialog is a form whose Enter key and main button do this. */
  submit?: {
    label: string
    onSubmit: () => void
    look?: 'primary' | 'danger'
    busy?: boolean
    disabled?: boolean
  }
  width?: number
}

/** A modal dialog: the browser's own, so that focus stays inside and Escape closes it. */
export function Dialog({ title, children, onClose, submit, width = 460 }: DialogProps) {
  const t = useText()
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const focused = document.activeElement
    dialog?.showModal()
    // It begins with what it is about, and not with the button that closes it.
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, select, textarea, button):enabled')?.focus()
    return () => {
      dialog?.close()
      if (focused instanceof HTMLElement) focused.focus()
    }
  }, [])
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!submit?.busy && !submit?.disabled) submit?.onSubmit()
  }
  return (
    <dialog
      ref={ref}
      className="dialog"
      style={{ width: `min(${width}px, calc(100vw - 24px))` }}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <form onSubmit={onSubmit}>
        <header className="dialog-head">
          <h2 id={titleId}>{title}</h2>
          <IconButton icon="close" label={t('close')} onClick={onClose} />
        </header>
        <div className="dialog-body">{children}</div>
        {submit && (
          <footer className="dialog-foot">
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button
              type="submit"
              look={submit.look ?? 'primary'}
              disabled={submit.disabled}
              aria-busy={submit.busy ?? false}
            >
              {submit.label}
            </Button>
          </footer>
        )}
      </form>
    </dialog>
  )
}
