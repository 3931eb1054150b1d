import type { ReactNode } from 'react'
import styles from './detail.module.css'

export interface DetailLine {
  key: string
  label: string
  value: ReactNode
}

/** What is known of something, a line each with its name. */
export function Lines({ lines }: { lines: readonly DetailLine[] }) {
  return (
    <dl className={styles.lines}>
      {lines.map(({ key, label, value }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
