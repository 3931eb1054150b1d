import type { ReactNode } from 'react'
import styles from './detail.module.css'

/** What can be done at once, one below the other, in a card. */
export const QuickLines = ({ children }: { children: ReactNode }) => (
  <div className={styles.quick}>{children}</div>
)

/** What it is, and at the other end of the line what does it. */
export const QuickLine = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <span>{title}</span>
    {children}
  </div>
)
