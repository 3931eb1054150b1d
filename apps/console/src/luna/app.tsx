import { lazy, Suspense, useSyncExternalStore } from 'react'
import { configureApi } from '../kit/api/client.ts'
import { endSession, sessionState, subscribeToSessionState } from '../kit/session/login-state.ts'
import { startTerminalFont } from '../kit/terminal/font.ts'
import {
  currentOrganizationId,
  leaveForFirstLogin,
  leaveForSignIn,
  PersonProvider,
  usePersonQuery,
} from './person.tsx'
import { useErrorText } from './error-text.ts'
import { useKitText } from '../kit/text.ts'
import { SignedOutCover } from './signed-out-cover.tsx'
import { useText } from './text.ts'
import { Notice } from './ui/notice.tsx'
import { Spinner } from './ui/spinner.tsx'
import { ToastHost } from '../kit/feedback/toast-host.tsx'

/** A page and the terminal's font with it. */
async function withFont<T>(page: Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([page, startTerminalFont()])
  return loaded
}

const Workspace = lazy(async () => {
  const { Workspace } = await withFont(import('./workspace/workspace.tsx'))
  return { default: Workspace }
})
const MonitorPage = lazy(async () => {
  const { MonitorPage } = await withFont(import('./monitor/monitor-page.tsx'))
  return { default: MonitorPage }
})
const ReplayPage = lazy(async () => {
  const { ReplayPage } = await withFont(import('./replay/replay-page.tsx'))
  return { default: ReplayPage }
})

configureApi({ organizationId: currentOrganizationId, onUnauthorized: endSession })

/** The page an address asks for: `/luna/`, `/luna/connect`, `/luna/monitor/<session>`, `/luna/replay/<session>`. */
function Page() {
  const t = useText()
  const [, area = '', id = ''] = /^\/luna\/?([^/]*)\/?([^/]*)/.exec(location.pathname) ?? []
  if (area === '' || area === 'connect') return <Workspace single={area === 'connect'} />
  if (area === 'monitor' && id !== '')
    return (
      <>
        <MonitorPage sessionId={id} />
        <SignedOutCover />
      </>
    )
  if (area === 'replay' && id !== '')
    return (
      <>
        <ReplayPage sessionId={id} />
        <SignedOutCover />
      </>
    )
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
  const kitText = useKitText()
  const person = usePersonQuery()
  const login = useSyncExternalStore(subscribeToSessionState, sessionState)
  if (login === 'replaced')
    return (
      <Notice
        title={kitText('otherUserTitle')}
        text={kitText('otherUserText')}
        action={{ label: kitText('loadAgain'), onClick: () => location.reload() }}
      />
    )
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
  if (person.data.profile.is_first_login) {
    leaveForFirstLogin()
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
