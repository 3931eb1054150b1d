import type { ReactNode } from 'react'
import styles from './detail.module.css'

/** What can be done at once, one below the other, in a card. */
export const QuickLines = ({ children }: { children: ReactNode }) => (
  <div className={styles.quick}>{children}</div>
)

interface QuickLineProps {
  title: string
  /** For what does it to be named by the title, too. */
  titleId?: string
  children: ReactNode
}

/** What it is, and at the other end of the line what does it. */
export const QuickLine = ({ title, titleId, children }: QuickLineProps) => (
  <div>
    <span id={titleId}>{title}</span>
    {children}
  </div>
)
