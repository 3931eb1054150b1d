import { lazy, Suspense } from 'react'
import { configureApi } from '../kit/api/client.ts'
import { currentOrganizationId, leaveForSignIn, PersonProvider, usePersonQuery } from './person.tsx'
import { useErrorText } from './error-text.ts'
import { useText } from './text.ts'
import { Notice } from './ui/notice.tsx'
import { Spinner } from './ui/spinner.tsx'
import { ToastHost } from '../kit/feedback/toast-host.tsx'

const Workspace = lazy(async () => ({ default: (await import('./workspace/workspace.tsx')).Workspace }))
const MonitorPage = lazy(async () => ({ default: (await import('./monitor/monitor-page.tsx')).MonitorPage }))

const ReplayPage = lazy(async () => ({ default: (await import('./replay/replay-page.tsx')).ReplayPage }))

configureApi({ organizationId: currentOrganizationId })

/** The page an address asks for: `/luna/`, `/luna/connect`, `/luna/monitor/<session>`, `/luna/replay/<session>`. */
function Page() {
  const t = useText()
  const [, area = '', id = ''] = /^\/luna\/?([^/]*)\/?([^/]*)/.exec(location.pathname) ?? []
  if (area === '' || area === 'connect') return <Workspace single={area === 'connect'} />
  if (area === 'monitor' && id !== '') return <MonitorPage sessionId={id} />
  if (area === 'replay' && id !== '') return <ReplayPage sessionId={id} />
  return (
    <Notice
      title={t('notFoundTitle')}
      text={t('notFoundText')}
      action={{ label: t('openWorkspace'), href: '/luna/' }}
    />
  )
}

export function App() {
  const t = useText()
  const errorText = useErrorText()
  const person = usePersonQuery()
  if (person.isPending) return <Spinner label={t('loading')} />
  if (person.error) {
    const retry = () => void person.refetch()
    return (
      <Notice
        title={t('startFailed')}
        text={errorText(person.error)}
        action={{ label: t('retry'), onClick: retry }}
      />
    )
  }
  if (person.data === 'signed_out') {
    leaveForSignIn()
    return <Spinner label={t('loading')} />
  }
  return (
    <PersonProvider person={person.data}>
      <Suspense fallback={<Spinner label={t('loading')} />}>
        <Page />
      </Suspense>
      <ToastHost />
    </PersonProvider>
  )
}
