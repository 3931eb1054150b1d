import type { Command } from '@sallyport/contract/resources/terminal'
import styles from './sessions.module.css'

/** How commands look in a list. */
export const commandCells = {
  input: {
    wrap: true,
    render: (row: Command) => <code className={styles.command}>{row.input}</code>,
  },
  risk_level: { widthPx: 105 },
} as const

/** Below its row: the command as it was typed, and what it answered. */
export const commandUnfolded = (row: Command) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long one is scrolled by keyboard, too
  <pre className={styles.output} tabIndex={0}>
    <b>$ {row.input}</b>
    {'\n'}
    {row.output}
  </pre>
)
