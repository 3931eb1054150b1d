import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { api } from '../../../kit/api/client.ts'
import type { Page, RowId } from '../../../kit/api/resource.ts'
import { Card } from '../../../kit/detail/card.tsx'
import { describeError } from '../../../kit/feedback/errors.ts'
import { useKitText } from '../../../kit/text.ts'
import styles from './perms.module.css'

const pageSize = 15

interface CoveredProps {
  title: string
  permissionId: RowId
  /** Below the permission: `users/all/`. */
  path: string
  /** The field that is shown. */
  field: string
}

/** Everybody or everything a permission reaches, through groups and nodes too. */
export function Covered({ title, permissionId, path, field }: CoveredProps) {
  const t = useKitText()
  const [page, setPage] = useState(0)
  const [search, setSearch] = useState('')
  const { data, error, isPending } = useQuery({
    queryKey: ['covered', permissionId, path, page, search],
    queryFn: ({ signal }) =>
      api.get<Page<Record<string, unknown>>>(`perms/asset-permissions/${permissionId}/${path}`, {
        query: { limit: pageSize, offset: page * pageSize, search },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  const rows = data?.results ?? []
  const count = data?.count ?? 0
  return (
    <Card
      title={`${title} (${count})`}
      extra={
        <Input.Search
          allowClear
          size="small"
          maxLength={128}
          aria-label={`${t('search')}: ${title}`}
          placeholder={t('search')}
          style={{ width: 200 }}
          onSearch={(text) => {
            setPage(0)
            setSearch(text.trim())
          }}
        />
      }
    >
      {error ? (
        <p role="alert">{describeError(error, t)}</p>
      ) : isPending ? (
        <p role="status">{t('loading')}</p>
      ) : rows.length === 0 ? (
        <p>{t('noData')}</p>
      ) : (
        <ul className={styles.covered}>
          {rows.map((row) => (
            <li key={String(row[field])}>{String(row[field])}</li>
          ))}
        </ul>
      )}
      {count > pageSize && (
        <div className={styles.pager}>
          <Button size="small" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t('previousPage')}
          </Button>
          {page + 1} / {Math.ceil(count / pageSize)}
          <Button size="small" disabled={(page + 1) * pageSize >= count} onClick={() => setPage(page + 1)}>
            {t('nextPage')}
          </Button>
        </div>
      )}
    </Card>
  )
}
