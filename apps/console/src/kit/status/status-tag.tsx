import type { ReactNode } from 'react'
import type { Tone } from '../theme/tokens.ts'
import styles from './status-tag.module.css'

/** The state of something in a word; the colour says it once more. */
export function StatusTag({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  )
}
