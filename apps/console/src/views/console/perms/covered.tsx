import { AssetPermission } from '@sallyport/contract/resources/perms'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { call } from '../../../kit/api/call.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { pageOf } from '../../../kit/api/resource.ts'
import { Card } from '../../../kit/detail/card.tsx'
import { describeError } from '../../../kit/feedback/errors.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import styles from './perms.module.css'

const pageSize = 15

const titles = { allUsers: 'console:allUsers', allAssets: 'console:allAssets' } as const

interface CoveredProps {
  row: AssetPermission
  what: keyof typeof titles
}

async function namesOf({ row, what }: CoveredProps, query: Readonly<Record<string, unknown>>) {
  if (what === 'allUsers') {
    const page = pageOf(await call(AssetPermission, 'allUsers', { id: row.id, query }))
    return { count: page.count, names: page.results.map((one) => one.user_display) }
  }
  const page = pageOf(await call(AssetPermission, 'allAssets', { id: row.id, query }))
  return { count: page.count, names: page.results.map((one) => one.asset_display) }
}

/** Everybody or everything a permission reaches, through groups and nodes too. */
export default function Covered({ row, what }: CoveredProps) {
  const t = useKitText()
  const title = useMessages()(titles[what])
  const [page, setPage] = useState(0)
  const [search, setSearch] = useState('')
  const query = { limit: pageSize, offset: page * pageSize, search }
  const { data, error, isPending } = useQuery({
    queryKey: [...queryKeys.resource(AssetPermission.path), row.id, what, query],
    queryFn: () => namesOf({ row, what }, query),
    placeholderData: keepPreviousData,
  })
  const { names = [], count = 0 } = data ?? {}
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
      ) : names.length === 0 ? (
        <p>{t('noData')}</p>
      ) : (
        <ul className={styles.covered}>
          {names.map((name) => (
            <li key={name}>{name}</li>
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
