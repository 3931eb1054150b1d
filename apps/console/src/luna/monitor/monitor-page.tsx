import '../watch.css'
import type { Session } from '@sallyport/contract/resources/terminal'
import { useEffect, useRef, useState } from 'react'
import { toast } from '../../kit/feedback/toast.ts'
import { TerminalSocket, type TerminalState } from '../../kit/terminal/terminal-socket.ts'
import { TerminalView } from '../../kit/terminal/terminal-view.ts'
import { useErrorText } from '../error-text.ts'
import { useCan } from '../person.tsx'
import { SessionFacts } from '../session-facts.tsx'
import { terminateSession, useSession } from '../session.ts'
import { terminationReasonMax } from '@sallyport/contract/constants'
import { useText } from '../text.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { Watermark } from '../ui/watermark.tsx'
import { useEndText } from '../state-overlay.tsx'

/** Watches a running session from its beginning on, read-only. */
export function MonitorPage({ sessionId }: { sessionId: string }) {
  const t = useText()
  const errorText = useErrorText()
  const session = useSession(sessionId)
  const asset = session.data?.asset
  useEffect(() => {
    document.title = asset === undefined ? t('webTerminal') : t('monitorTitle', { asset })
  }, [asset, t])
  if (session.isPending) return <Spinner label={t('loading')} />
  if (session.error) {
    const retry = () => void session.refetch()
    return (
      <Notice
        title={t('sessionNotFound')}
        text={errorText(session.error)}
        action={{ label: t('retry'), onClick: retry }}
      />
    )
  }
  if (!session.data.can_join) {
    const replay = { label: t('openReplay'), href: `/luna/replay/${sessionId}${location.search}` }
    return (
      <Notice
        title={session.data.asset}
        text={t('notJoinable')}
        action={session.data.can_replay ? replay : undefined}
      />
    )
  }
  return <Monitor session={session.data} />
}

function Monitor({ session }: { session: Session }) {
  const t = useText()
  const endText = useEndText()
  const elementRef = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<TerminalState>({ phase: 'asking' })
  const [isCaughtUp, setCaughtUp] = useState(false)

  useEffect(() => {
    const element = elementRef.current
    if (!element) return undefined
    const view = new TerminalView()
    const socket = new TerminalSocket(
      { kind: 'monitor', sessionId: session.id },
      {
        onState: setState,
        onOutput: (bytes, taken) => view.write(bytes, taken),
        onScreenReset: () => view.restart(),
        onSession: () => {},
        onOwnerSize: (size) => view.setFixedSize(size),
        onMonitorPosition: ({ is_live }) => setCaughtUp(is_live),
      },
    )
    view.setFixedSize({ cols: 80, rows: 24 })
    view.open(element)
    const starting = setTimeout(() => socket.start(view.size))
    return () => {
      clearTimeout(starting)
      socket.close()
      view.dispose()
    }
  }, [session.id])

  const isEnded = state.phase === 'ended'
  return (
    <div className="watch">
      <header className="watch-head">
        <SessionFacts session={session} isRunning={!isEnded} />
        <span className={`watch-state is-${state.phase}`} role="status">
          {state.phase === 'live'
            ? t(isCaughtUp ? 'monitorLive' : 'monitorCatchingUp')
            : t(`phase_${state.phase}`)}
        </span>
        {!isEnded && <Terminate session={session} />}
      </header>
      <main className="watch-stage">
        <div className="terminal-pane is-fixed" ref={elementRef} />
        <Watermark asset={session.asset} />
        {isEnded && (
          <div className="state-bar is-ended" role="alert">
            <span>{endText(state)}</span>
            <a className="button" href={`/luna/replay/${session.id}${location.search}`}>
              {t('openReplay')}
            </a>
          </div>
        )}
        {state.phase === 'reconnecting' && (
          <div className="state-bar" role="status">
            <span className="spinner-ring" aria-hidden="true" />
            <span>{t('reconnecting')}</span>
          </div>
        )}
      </main>
    </div>
  )
}

function Terminate({ session }: { session: Session }) {
  const t = useText()
  const errorText = useErrorText()
  const isAllowed = useCan('terminal.terminate_session')
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [reason, setReason] = useState('')
  if (!isAllowed || !session.can_terminate) return null
  const terminate = async () => {
    setBusy(true)
    try {
      const isTaken = await terminateSession(session.id, reason.trim())
      if (isTaken) toast.success(t('terminateSent'))
      else toast.info(t('terminateNotTaken'))
      setAsking(false)
    } catch (error) {
      toast.error(errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button look="danger" icon="stop" onClick={() => setAsking(true)}>
        {t('terminate')}
      </Button>
      {isAsking && (
        <Dialog
          title={t('terminateTitle')}
          onClose={() => setAsking(false)}
          submit={{ label: t('terminate'), look: 'danger', busy: isBusy, onSubmit: () => void terminate() }}
        >
          <p>{t('terminateText', { user: session.user, asset: session.asset })}</p>
          <label className="field">
            <span>{t('terminateReason')}</span>
            <textarea
              rows={2}
              maxLength={terminationReasonMax}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
        </Dialog>
      )}
    </>
  )
}
