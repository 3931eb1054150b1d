import type { Command } from '@sallyport/contract/resources/terminal'
import styles from './sessions.module.css'

/** How commands and what they answered look in a list. */
export const commandCells = {
  input: {
    wrap: true,
    render: (row: Command) => <code className={styles.command}>{row.input}</code>,
  },
  output: {
    wrap: true,
    render: (row: Command) => (
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long one is scrolled by keyboard, too
      <pre className={styles.output} tabIndex={0}>
        {row.output}
      </pre>
    ),
  },
  risk_level: { widthPx: 105 },
} as const
