import { Directory } from '@sallyport/contract/resources/directory'
import { User } from '@sallyport/contract/resources/users'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAccess } from '../../kit/access/access.ts'
import { call } from '../../kit/api/call.ts'
import { ApiError, isRecord } from '../../kit/api/errors.ts'
import { queryKeys } from '../../kit/api/keys.ts'
import { pageOf } from '../../kit/api/resource.ts'
import { withConfirmation } from '../../kit/confirm/step-up.ts'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { describeError } from '../../kit/feedback/errors.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { Pager } from '../../kit/list/pager.tsx'
import { RelationSelect } from '../../kit/relation/relation-select.tsx'
import { useSession } from '../../kit/session/session.ts'
import { useKitText, useMessages } from '../../kit/text.ts'
import { useUnsaved } from '../../kit/unsaved/unsaved.ts'
import { nothing } from '../../kit/values/plain-value.ts'
import { organizationSource } from './organization-source.ts'
import styles from './table.module.css'

const key = ['ldap-users']
const pageSizes = [15, 50, 100]
/** The directory is read beside requests: how often it is asked whether that is done. */
const askAgainMs = 2000
const isUnderWay = (error: unknown) => error instanceof ApiError && error.status === 409
/** Who was not imported, and why: `{errors: [{ann: 'email: …'}]}`. */
function notImported(error: unknown): [string, string][] {
  const { errors } = error instanceof ApiError && isRecord(error.body) ? error.body : {}
  if (!Array.isArray(errors)) return []
  return errors.filter(isRecord).flatMap((one) => Object.entries(one)) as [string, string][]
}
const columns = [
  'settings:ldapUsername',
  'settings:ldapName',
  'settings:ldapEmail',
  'settings:ldapGroups',
  'settings:ldapExisting',
] as const

/** Who is in the directory; whom of them to make users here, and where. */
export default function ImportDialog({ onClose }: { onClose: () => void }) {
  const text = useMessages()
  const t = useKitText()
  const client = useQueryClient()
  const { hasLicence } = useAccess()
  const { settings } = useSession()
  const [org, setOrg] = useState<string>(settings.AUTH_LDAP_SYNC_ORG_ID)
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(15)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState<'all' | 'chosen'>()
  const [failure, setFailure] = useState<unknown>()
  const query = { cache_police: '1', limit: size, offset: (page - 1) * size, search }
  const { data, error, isFetching } = useQuery({
    queryKey: [...key, query],
    queryFn: async ({ signal }) => pageOf(await call(Directory, 'users', { query }, { signal })),
    placeholderData: keepPreviousData,
    retry: false,
    refetchInterval: (asked) => (isUnderWay(asked.state.error) ? askAgainMs : false),
  })
  const rows = data?.results ?? []
  const isTicked = rows.length > 0 && rows.every(({ username }) => chosen.has(username))
  const tick = (names: readonly string[], isOn: boolean) => {
    const others = [...chosen].filter((name) => !names.includes(name))
    setChosen(new Set(isOn ? [...others, ...names] : others))
  }
  const refresh = async () => {
    setFailure(undefined)
    try {
      await call(Directory, 'refresh', {})
    } catch (refused) {
      setFailure(refused)
    }
    await client.invalidateQueries({ queryKey: key })
  }
  const bring = async (which: 'all' | 'chosen') => {
    setBusy(which)
    setFailure(undefined)
    const body = { username_list: which === 'all' ? ['*'] : [...chosen], org_id: org }
    try {
      const { msg } = await withConfirmation(() => call(Directory, 'import', { body }))
      toast.success(msg)
      setChosen(new Set())
    } catch (refused) {
      setFailure(refused)
      const left = new Set(notImported(refused).map(([username]) => username))
      if (left.size > 0) setChosen((ticked) => ticked.intersection(left))
    }
    setBusy(undefined)
    // Some of them may be in, whatever became of the others.
    await client.invalidateQueries({ queryKey: key })
    await client.invalidateQueries({ queryKey: queryKeys.resource(User.path) })
  }
  return (
    <Dialog
      title={text('settings:ldapUserList')}
      width={{ xs: '96%', lg: '80vw' }}
      mask={{ closable: false }}
      onCancel={onClose}
      footer={(_own, { CancelBtn }) => [
        <CancelBtn key="close" />,
        <Button
          key="all"
          loading={busy === 'all'}
          disabled={!data || error !== null || busy !== undefined}
          onClick={() => void bring('all')}
        >
          {text('settings:ldapImportAll')}
        </Button>,
        <Button
          key="chosen"
          type="primary"
          loading={busy === 'chosen'}
          disabled={chosen.size === 0 || busy !== undefined}
          onClick={() => void bring('chosen')}
        >
          {text('settings:ldapImportChosen', { count: chosen.size })}
        </Button>,
      ]}
    >
      <div className={styles.bar}>
        <Input.Search
          allowClear
          maxLength={128}
          aria-label={t('search')}
          placeholder={t('search')}
          onSearch={(wanted) => {
            setPage(1)
            setSearch(wanted.trim())
          }}
        />
        {hasLicence && (
          <RelationSelect
            label={text('settings:ldapInto')}
            source={organizationSource}
            multiple={false}
            value={org}
            onChange={(one) =>
              !Array.isArray(one) && setOrg(String(one?.id ?? settings.AUTH_LDAP_SYNC_ORG_ID))
            }
          />
        )}
        <Button onClick={() => void refresh()}>{t('refresh')}</Button>
      </div>
      <Unfinished isUnfinished={chosen.size > 0 || busy !== undefined} />
      {failure !== undefined && <Failure error={failure} />}
      {error && (
        <Alert
          type={isUnderWay(error) ? 'info' : 'error'}
          showIcon
          role={isUnderWay(error) ? 'status' : 'alert'}
          title={describeError(error, t)}
        />
      )}
      <div className={styles.frame}>
        <table className={styles.table} aria-label={text('settings:ldapUserList')} aria-busy={isFetching}>
          <thead>
            <tr>
              <th scope="col">
                <Checkbox
                  aria-label={t('selectPage')}
                  checked={isTicked}
                  onChange={({ target }) =>
                    tick(
                      rows.map(({ username }) => username),
                      target.checked,
                    )
                  }
                />
              </th>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {text(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ username, name, email, groups, existing }) => (
              <tr key={username}>
                <td>
                  <Checkbox
                    aria-label={text('settings:ldapChoose', { username })}
                    checked={chosen.has(username)}
                    onChange={({ target }) => tick([username], target.checked)}
                  />
                </td>
                <td data-label={text('settings:ldapUsername')}>{username}</td>
                <td data-label={text('settings:ldapName')}>{name}</td>
                <td data-label={text('settings:ldapEmail')}>{email || nothing}</td>
                <td data-label={text('settings:ldapGroups')}>{groups.join(' | ') || nothing}</td>
                <td data-label={text('settings:ldapExisting')}>{t(existing ? 'yes' : 'no')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data?.count === 0 && <p className={styles.none}>{t('noData')}</p>}
      {data && (
        <Pager
          page={page}
          pageSize={size}
          pageSizes={pageSizes}
          count={data.count}
          onPage={setPage}
          onPageSize={(rowsOfPage) => {
            setPage(1)
            setSize(rowsOfPage)
          }}
        />
      )}
    </Dialog>
  )
}

/** Has the person asked before ticks are lost, or what comes of an import. */
function Unfinished({ isUnfinished }: { isUnfinished: boolean }) {
  useUnsaved(isUnfinished)
  return null
}

/** Each who was not imported in a line of their own. */
function Failure({ error }: { error: unknown }) {
  const text = useMessages()
  const t = useKitText()
  const people = notImported(error)
  if (people.length === 0) return <Alert type="error" showIcon role="alert" title={describeError(error, t)} />
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      title={text('settings:ldapNotImported', { count: people.length })}
      description={
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- What scrolls is reached by keyboard.
        <ul className={styles.failures} tabIndex={0}>
          {people.map(([username, reason]) => (
            <li key={username}>
              {username}: {reason}
            </li>
          ))}
        </ul>
      }
    />
  )
}
