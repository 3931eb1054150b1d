import type { ColumnSpec } from '../../../kit/list/columns.ts'
import styles from './sessions.module.css'

/** How commands and what they answered look in a list. */
export const commandCells: Record<string, ColumnSpec> = {
  input: {
    wrap: true,
    render: (row) => <code className={styles.command}>{String(row['input'])}</code>,
  },
  output: {
    wrap: true,
    render: (row) => <pre className={styles.output}>{String(row['output'])}</pre>,
  },
  risk_level: { widthPx: 105 },
}
