import type { Resource } from '@sallyport/contract/resource/resource'
import type { ReactNode } from 'react'
import { useList, useMetadata } from '../../kit/api/hooks.ts'
import type { FieldOf, RowFor } from '../../kit/api/names.ts'
import { type Row, listPath } from '../../kit/api/resource.ts'
import { Card } from '../../kit/detail/card.tsx'
import { describeError } from '../../kit/feedback/errors.ts'
import { cellOf } from '../../kit/list/cells.tsx'
import { type TextKey, useKitText, useMessages } from '../../kit/text.ts'
import styles from './workbench.module.css'

const shownRows = 5

interface RecentTableProps<T extends Resource> {
  title: string
  resource: T
  columns: readonly FieldOf<T>[]
  /** How cells look that are not shown by their kind. */
  cells?: Readonly<Partial<Record<FieldOf<T>, { render: (row: RowFor<T>) => ReactNode }>>>
  /** A narrower list than the resource's own. */
  path?: string
  /** Said when there are no rows. */
  empty?: TextKey
  /** Beside the title. */
  extra?: ReactNode
  /** What can be done with a row. */
  action?: ((row: RowFor<T>) => ReactNode) | undefined
}

/** The latest rows of a resource, few and without tools. */
export function RecentTable<T extends Resource>(props: RecentTableProps<T>) {
  const { title, resource, columns, cells, empty = 'workbench:nothingYet', extra, action } = props
  const t = useKitText()
  const text = useMessages()
  const path = listPath(resource.path)
  const metadata = useMetadata(path)
  const list = useList(props.path ?? path, { limit: shownRows, offset: 0 })
  const metas = metadata.data?.actions?.GET ?? {}
  const error = list.error ?? metadata.error
  const rows: readonly Row[] = list.data?.results ?? []
  const isEmpty = rows.length === 0 && !error && !list.isPending
  return (
    <Card title={title} extra={extra}>
      {error && <p role="alert">{describeError(error, t)}</p>}
      {isEmpty && <p className={styles.empty}>{text(empty)}</p>}
      {rows.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {metas[name]?.label ?? ''}
                </th>
              ))}
              {action && (
                <th scope="col" className={styles.action}>
                  {t('actions')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.id}>
                {columns.map((name) => (
                  <td key={name} data-label={metas[name]?.label}>
                    {cells?.[name]?.render(row as RowFor<T>) ?? cellOf(name, row[name], metas[name], t)}
                  </td>
                ))}
                {action && <td className={styles.action}>{action(row as RowFor<T>)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
