// oxlint-disable-next-line no-restricted-imports -- the one place that uses it, which all others call
import { Modal as AntModal, type ModalProps } from 'antd'
import { Suspense, useLayoutEffect, useState } from 'react'
import { useDialogFocus } from './dialog-focus.ts'

export type OpenModalProps = Omit<ModalProps, 'open'>

/**
 * What lies over the page and keeps the keyboard: there as long as it is drawn. The library takes one for open from its
 * drawing on, so it is drawn in one go: of one that React began twice, where the code of it came late, the first would
 * be open for ever and take the Escape of those below.
 */
export function Modal({ children, ...props }: OpenModalProps) {
  useDialogFocus()
  const [isOpen, setOpen] = useState(false)
  // oxlint-disable-next-line react/set-state-in-effect -- Such an update is drawn in one go.
  useLayoutEffect(() => setOpen(true), [])
  return (
    isOpen && (
      <AntModal open {...props}>
        <Suspense>{children}</Suspense>
      </AntModal>
    )
  )
}
