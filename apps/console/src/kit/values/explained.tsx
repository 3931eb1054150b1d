import { Tooltip } from 'antd'
import type { ReactNode } from 'react'

interface ExplainedProps {
  /** What the tooltip says. */
  title: ReactNode
  /** What screen readers say in place of a picture, with what the tooltip says; left out where it is text. */
  label?: string
  className?: string
  children: ReactNode
}

/** What is told in short, and in full as a tooltip: for the mouse, the keyboard and screen readers. */
export function Explained({ title, label, className, children }: ExplainedProps) {
  return (
    <Tooltip trigger={['hover', 'focus']} title={title}>
      <span
        role={label === undefined ? undefined : 'img'}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- its tooltip opens with the keyboard's focus
        tabIndex={0}
        aria-label={label}
        className={className}
      >
        {children}
      </span>
    </Tooltip>
  )
}
