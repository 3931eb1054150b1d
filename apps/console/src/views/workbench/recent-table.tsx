import type { Resource } from '@sallyport/contract/resource/resource'
import { useList, useMetadata } from '../../kit/api/hooks.ts'
import type { FieldOf } from '../../kit/api/names.ts'
import { type Row, listPath } from '../../kit/api/resource.ts'
import { Card } from '../../kit/detail/card.tsx'
import { describeError } from '../../kit/feedback/errors.ts'
import { cellOf } from '../../kit/list/cells.tsx'
import { useKitText, useMessages } from '../../kit/text.ts'
import styles from './workbench.module.css'

const shownRows = 5

interface RecentTableProps<T extends Resource> {
  title: string
  resource: T
  columns: readonly FieldOf<T>[]
}

/** The latest rows of a resource, few and without tools. */
export function RecentTable<T extends Resource>({ title, resource, columns }: RecentTableProps<T>) {
  const t = useKitText()
  const text = useMessages()
  const path = listPath(resource.path)
  const metadata = useMetadata(path)
  const list = useList(path, { limit: shownRows, offset: 0 })
  const metas = metadata.data?.actions?.GET ?? {}
  const error = list.error ?? metadata.error
  const rows: readonly Row[] = list.data?.results ?? []
  const isEmpty = rows.length === 0 && !error && !list.isPending
  return (
    <Card title={title}>
      {error && <p role="alert">{describeError(error, t)}</p>}
      {isEmpty && <p className={styles.empty}>{text('nothingYet')}</p>}
      {rows.length > 0 && (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {metas[name]?.label ?? ''}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  {columns.map((name) => (
                    <td key={name}>{cellOf(name, row[name], metas[name], t)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  )
}
