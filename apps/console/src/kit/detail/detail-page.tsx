import { Button, Result } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router'
import { useAccess } from '../access/access.ts'
import { useDetail, useRemove } from '../api/hooks.ts'
import { ApiError } from '../api/errors.ts'
import { listPath, type ResourceRef, type Row } from '../api/resource.ts'
import { ask } from '../confirm/ask.ts'
import { describeError } from '../feedback/errors.ts'
import { toast } from '../feedback/toast.ts'
import { Page } from '../page/page.tsx'
import { useRouteTitle } from '../page/route-title.ts'
import { screenPaths } from '../screens/paths.ts'
import { type Tab, Tabs } from '../tabs/tabs.tsx'
import { type MessageKey, useKitText, useMessages } from '../text.ts'
import { nameOf } from '../values/name-of.ts'

const Activity = lazy(() => import('./activity.tsx'))

export interface DetailTab<R extends Row = Row> extends Omit<Tab, 'content' | 'hidden' | 'title'> {
  title: MessageKey
  /** Not shown without these permissions. */
  permission?: string | readonly string[]
  content: (row: R) => ReactNode
}

export interface DetailSpec<R extends Row = Row> {
  resource: ResourceRef
  /** List path the row is read below, where it is not the resource's own. */
  path?: string
  tabs: readonly DetailTab<R>[]
  /** Switched off one by one; for a row that cannot be changed, say so by a function. */
  can?: {
    update?: boolean | ((row: R) => boolean)
    remove?: boolean | ((row: R) => boolean)
    activity?: boolean
  }
  base?: string
  /** What Update does in place of leading to the update screen. */
  onUpdate?: (row: R) => void
  /** Asks again every so many milliseconds while in view. */
  refreshMs?: number
}

const longestTitle = 80

/** The detail page of a row (route parameter `id`): title, Update and Delete, tabs, what happened to it. */
export function DetailPage<R extends Row = Row>(spec: DetailSpec<R>) {
  const { resource, can = {} } = spec
  const t = useKitText()
  const text = useMessages()
  const { id = '' } = useParams()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const access = useAccess()
  const route = useRouteTitle()
  const path = listPath(spec.path ?? resource.path)
  const paths = screenPaths(spec.base ?? pathname.replace(/\/[^/]+\/?$/u, ''))
  const { data: row, error, refetch } = useDetail<R>(path, id, { refreshMs: spec.refreshMs })
  const remove = useRemove(path)

  if (error) {
    const gone = error instanceof ApiError && error.status === 404
    return (
      <Page>
        <Result
          status="warning"
          title={gone ? t('errorNotFound') : describeError(error, t)}
          extra={!gone && <Button onClick={() => void refetch()}>{t('retry')}</Button>}
        />
      </Page>
    )
  }
  if (!row) {
    return <Page>{null}</Page>
  }
  const rooted = resource.scope === 'org' && access.inRoot
  const allowed = (rule: boolean | ((row: R) => boolean) = true) =>
    typeof rule === 'function' ? rule(row) : rule
  const actions = (
    <>
      {can.update !== false && access.canDo('change', resource) && (
        <Button
          disabled={rooted || !allowed(can.update)}
          onClick={() => {
            if (spec.onUpdate) {
              spec.onUpdate(row)
            } else {
              void navigate(`${paths.update(row.id)}${search}`, { state: { backTo: pathname + search } })
            }
          }}
        >
          {t('update')}
        </Button>
      )}
      {can.remove !== false && access.canDo('delete', resource) && (
        <Button
          danger
          disabled={!allowed(can.remove)}
          onClick={() =>
            ask({
              title: t('deleteTitle'),
              content: t('deleteConfirm', { name: nameOf(row) }),
              confirmText: t('delete'),
              danger: true,
              onConfirm: async () => {
                await remove.mutateAsync(row.id)
                toast.success(t('deleteSuccess'))
                await navigate(paths.list)
              },
            })
          }
        >
          {t('delete')}
        </Button>
      )}
    </>
  )
  const tabs: Tab[] = spec.tabs.map(({ permission, content, title, ...tab }) => ({
    ...tab,
    title: text(title),
    hidden: !access.can(permission),
    content: <Suspense>{content(row)}</Suspense>,
  }))
  tabs.push({
    name: 'ActivityTab',
    title: t('activity'),
    hidden: can.activity === false || !access.can('audits.view_activitylog'),
    content: (
      <Suspense>
        <Activity id={row.id} />
      </Suspense>
    ),
  })
  return (
    <Page title={detailTitle(route.singular || route.title, nameOf(row))} actions={actions}>
      <Tabs tabs={tabs} />
    </Page>
  )
}

/** `{prefix}: {name}`, cut to what a heading can hold. */
export function detailTitle(prefix: string, name: string): string {
  const title = prefix ? `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}: ${name}` : name
  return title.length > longestTitle ? `${title.slice(0, longestTitle)}…` : title
}
