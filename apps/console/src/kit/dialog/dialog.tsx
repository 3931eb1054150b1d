import { type ReactNode, useEffect, useRef } from 'react'
import { useKitText } from '../text.ts'
import { UnsavedContext, useLeave, useUnsavedScope } from '../unsaved/unsaved.ts'
import { focusFirst } from './focus-first.ts'
import { Modal, type OpenModalProps } from './modal.tsx'

/** From the width at which the sidebar stands beside the page (992 px) dialogs need less of it. */
const widths = { xs: '80%', lg: '60%' }
const place = { top: '3vh' }

/**
 * A dialog near the top of the page, 60 % wide (80 % on a phone) unless said; there as long as it is open. It keeps
 * the keyboard's focus, gives it back to what opened it, and asks before typed work in it is lost.
 */
export function Dialog({ onCancel, children, ...props }: OpenModalProps) {
  const t = useKitText()
  const scope = useUnsavedScope()
  const leave = useLeave()
  return (
    <Modal
      width={widths}
      style={props.centered ? undefined : place}
      closable={{ 'aria-label': t('close') }}
      {...props}
      onCancel={(event) => leave(scope, () => onCancel?.(event))}
    >
      <UnsavedContext value={scope}>
        <Body>{children}</Body>
      </UnsavedContext>
    </Modal>
  )
}

/** A dialog begins with what it is about, as soon as that is there, and not with the button that closes it. */
function Body({ children }: { children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = body.current
    if (!element) return undefined
    const begin = () => element.contains(document.activeElement) || focusFirst(element)
    if (begin()) return undefined
    // What is still loading begins as soon as it is there, unless the person has gone on.
    const observer = new MutationObserver(() => begin() && stop())
    const stop = () => {
      observer.disconnect()
      removeEventListener('keydown', stop, true)
    }
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['disabled'] })
    addEventListener('keydown', stop, true)
    return stop
  }, [])
  return <div ref={body}>{children}</div>
}
