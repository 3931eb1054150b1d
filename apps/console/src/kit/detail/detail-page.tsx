import { Button, Result } from 'antd'
import { Fragment, type ReactNode, Suspense } from 'react'
import { lazyPart } from '../loading/lazy-part.tsx'
import { useLocation, useParams } from 'react-router'
import { type PermissionRule, useAccess } from '../access/access.ts'
import type { Action } from '../actions/action.ts'
import { isOffered, isOpen, orderedActions, refusalOf, titleOf } from '../actions/action-state.ts'
import { useRunAction } from '../actions/use-run-action.ts'
import { useDetail, useRemove } from '../api/hooks.ts'
import { ApiError } from '../api/errors.ts'
import { listPath, type ResourceRef, type Row } from '../api/resource.ts'
import { describeError } from '../feedback/errors.ts'
import { removeAction, type RemoveConsequence, updateAction } from '../actions/usual-actions.ts'
import { Columns } from './card.tsx'
import styles from './detail.module.css'
import type { Part } from './parts.tsx'
import { Page } from '../page/page.tsx'
import { Skeleton } from '../page/skeleton.tsx'
import { useRouteTitle } from '../page/route-title.ts'
import { screenPaths } from '../screens/paths.ts'
import { type Tab, Tabs } from '../tabs/tabs.tsx'
import { type MessageKey, useKitText, useMessages } from '../text.ts'
import { nameOf } from '../values/name-of.ts'
import { useGo } from '../routes/navigation.tsx'

const Activity = lazyPart(() => import('./activity.tsx'))

type Parts<R extends Row> = Part<R> | readonly Part<R>[]

/** A tab: parts below each other, some of them at the side, or a content of its own. */
export type DetailTab<R extends Row = Row> = Omit<Tab, 'content' | 'hidden' | 'title'> & {
  title: MessageKey
  /** Not shown without these permissions; those of its first part unless said. */
  permission?: PermissionRule
} & ({ content: (row: R) => ReactNode } | { main: Parts<R>; side?: Parts<R> })

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
  /** Added to the question before the row is deleted: what ends or is lost with it. */
  removeConsequence?: RemoveConsequence<R>
  base?: string
  /** Further buttons beside Update and Delete; one named `update` takes the place of Update. */
  actions?: readonly Action<R>[]
  /** What the row is called in the heading, where its name alone does not tell it from others. */
  called?: (row: R) => string
  /** Above all tabs: what somebody has to see to. */
  notice?: (row: R) => ReactNode
  /** Asks again every so many milliseconds while in view. */
  refreshMs?: number
}

const longestTitle = 80

const loadingCard = (
  <section className={styles.card}>
    <Skeleton />
  </section>
)

/** The detail page of a row (route parameter `id`): title, Update and Delete, tabs, what happened to it. */
export function DetailPage<R extends Row = Row>(spec: DetailSpec<R>) {
  const { resource, can = {} } = spec
  const t = useKitText()
  const text = useMessages()
  const { id = '' } = useParams()
  const { pathname } = useLocation()
  const access = useAccess()
  const route = useRouteTitle()
  const path = listPath(spec.path ?? resource.path)
  const paths = screenPaths(spec.base ?? pathname.replace(/\/[^/]+\/?$/u, ''))
  const { data: row, error, refetch } = useDetail<R>(path, id, { refreshMs: spec.refreshMs })
  const actions = useHeadingActions(spec, paths)

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
  const headingOf = (name: string) => detailTitle(route.singular || route.title, name)
  if (!row) {
    return <Page title={headingOf('…')}>{loadingCard}</Page>
  }
  const tabs: Tab[] = spec.tabs.map((tab) => ({
    name: tab.name,
    title: text(tab.title),
    hidden: !access.can(permissionOf(tab)),
    content: (
      <Suspense fallback={loadingCard}>
        <TabContent tab={tab} row={row} />
      </Suspense>
    ),
  }))
  tabs.push({
    name: 'ActivityTab',
    title: t('activity'),
    hidden: can.activity === false || !access.can('audits.view_activitylog'),
    content: (
      <Suspense fallback={loadingCard}>
        <Activity id={row.id} />
      </Suspense>
    ),
  })
  return (
    <Page
      title={headingOf(spec.called?.(row) ?? nameOf(row))}
      actions={<HeadingActions row={row} resource={resource} actions={actions} />}
    >
      {spec.notice?.(row)}
      <Tabs tabs={tabs} />
    </Page>
  )
}

const listed = <R extends Row>(parts: Parts<R> = []): readonly Part<R>[] =>
  'show' in parts ? [parts] : parts

function permissionOf<R extends Row>(tab: DetailTab<R>): PermissionRule | undefined {
  return tab.permission ?? ('main' in tab ? listed(tab.main)[0]?.permission : undefined)
}

function TabContent<R extends Row>({ tab, row }: { tab: DetailTab<R>; row: R }) {
  if ('content' in tab) {
    return tab.content(row)
  }
  const shown = (parts: readonly Part<R>[]) =>
    parts.map((part, index) => <Fragment key={index}>{part.show(row)}</Fragment>)
  const main = shown(listed(tab.main))
  return tab.side ? <Columns main={main} side={shown(listed(tab.side))} /> : main
}

/** Update and Delete, as far as they are not switched off, and the screen's own actions. */
function useHeadingActions<R extends Row>(spec: DetailSpec<R>, paths: ReturnType<typeof screenPaths>) {
  const { resource, can = {}, actions = [] } = spec
  const access = useAccess()
  const go = useGo()
  const remove = useRemove(spec.path ?? resource.path)
  const rooted = resource.scope === 'org' && access.inRoot
  const usual: Action<R>[] = []
  if (can.update !== false && access.canDo('change', resource)) {
    usual.push({ ...updateAction(rooted, can.update), to: (row) => paths.update(row.id) })
  }
  if (can.remove !== false && access.canDo('delete', resource)) {
    usual.push({
      ...removeAction(false, can.remove, spec.removeConsequence),
      call: async ([row]) => {
        if (row) {
          await remove.mutateAsync(row.id)
          await go(paths.list)
        }
      },
    })
  }
  return orderedActions([...usual, ...actions]).filter((action) => isOffered(action, access))
}

interface HeadingActionsProps<R extends Row> {
  row: R
  resource: ResourceRef
  actions: readonly Action<R>[]
}

function HeadingActions<R extends Row>({ row, resource, actions }: HeadingActionsProps<R>) {
  const text = useMessages()
  const access = useAccess()
  const run = useRunAction(resource)
  return actions.map((action) => (
    <Button
      key={action.name}
      danger={action.danger}
      disabled={!isOpen(action, row, access)}
      title={refusalOf(action, row)}
      onClick={() => void run(action, [row])}
    >
      {text(titleOf(action, row))}
    </Button>
  ))
}

/** `{prefix}: {name}`, cut to what a heading can hold. */
export function detailTitle(prefix: string, name: string): string {
  const title = prefix ? `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)}: ${name}` : name
  return title.length > longestTitle ? `${title.slice(0, longestTitle)}…` : title
}
