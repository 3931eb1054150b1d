import '../watch.css'
import './replay.css'
import { isReadable } from '@sallyport/contract/recording'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { parseDate } from '../../kit/dates/dates.ts'
import { useErrorText } from '../error-text.ts'
import { SessionFacts } from '../session-facts.tsx'
import type { Session } from '@sallyport/contract/resources/terminal'
import { useSession } from '../session.ts'
import { useText } from '../text.ts'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { DownloadLink } from './download-link.tsx'
import { ExecView } from './exec-view.tsx'
import { execRecordingOf } from './exec-recording.ts'
import { recordingHere, RecordingChoice, rememberRecording } from './recording-choice.tsx'
import { loadIndex, loadRecordings, RecordingSource } from './recording-source.ts'
import { TerminalReplay } from './terminal-replay.tsx'

/** A running session's recording grows; this is how often it is looked at. */
const growthCheckMs = 5000

/** Replays a recorded session: what of it there is, one recording at a time. */
export function ReplayPage({ sessionId }: { sessionId: string }) {
  const t = useText()
  const errorText = useErrorText()
  const session = useSession(sessionId)
  // What a lost gateway left never becomes complete.
  const isLost = session.data?.end_reason?.value === 'gateway_lost'
  const recordings = useQuery({
    queryKey: ['recordings', sessionId],
    queryFn: ({ signal }) => loadRecordings(sessionId, signal),
    refetchInterval: ({ state: { data } }) =>
      !isLost && data?.some((one) => !one.is_complete) ? growthCheckMs : false,
  })
  const [asked, setAsked] = useState(recordingHere)
  const number = asked ?? recordings.data?.[0]?.number ?? 1
  const asset = session.data?.asset
  useEffect(() => {
    document.title = asset === undefined ? t('webTerminal') : t('replayTitle', { asset })
  }, [asset, t])

  if (session.error) {
    return (
      <Notice
        title={t('sessionNotFound')}
        text={errorText(session.error)}
        action={{ label: t('retry'), onClick: () => void session.refetch() }}
      />
    )
  }
  if (!session.data) return <Spinner label={t('loading')} />
  const choose = (chosen: number) => {
    setAsked(chosen)
    rememberRecording(chosen)
  }
  return (
    <div className="watch">
      <header className="watch-head">
        <SessionFacts session={session.data} isRunning={false} />
        <RecordingChoice recordings={recordings.data ?? []} shown={number} onChoose={choose} />
        {number === 1 && <DownloadLink sessionId={sessionId} />}
      </header>
      <Indexed key={number} session={session.data} number={number} isLost={isLost} />
    </div>
  )
}

/** A terminal with its timing, or a command with what it got and gave. */
function Indexed({ session, number, isLost }: { session: Session; number: number; isLost: boolean }) {
  const t = useText()
  const errorText = useErrorText()
  const index = useQuery({
    queryKey: ['recording', session.id, number],
    queryFn: ({ signal }) => loadIndex(session.id, number, signal),
    refetchInterval: (query) => (query.state.data?.is_complete === false && !isLost ? growthCheckMs : false),
  })
  if (index.error) {
    return (
      <Notice
        title={t('replayUnavailable')}
        text={errorText(index.error)}
        action={{ label: t('retry'), onClick: () => void index.refetch() }}
      />
    )
  }
  if (!index.data) return <Spinner label={t('loading')} />
  if (!isReadable(index.data)) return <Notice title={t('recordingOther')} text={t('replayOfTomorrow')} />
  return <Recording session={session} number={number} index={index.data} />
}

interface RecordingProps {
  session: Session
  number: number
  index: RecordingSource['index']
}

function Recording({ session, number, index }: RecordingProps) {
  const t = useText()
  const errorText = useErrorText()
  const [source] = useState(() => new RecordingSource(session.id, number, index))
  // The first frames tell whether it was a terminal or a command.
  const exec = useQuery({
    queryKey: ['recording', session.id, number, 'kind'],
    queryFn: () => execRecordingOf(source),
    staleTime: Infinity,
  })
  if (exec.error) {
    return (
      <Notice
        title={t('replayBroken')}
        text={errorText(exec.error)}
        action={{ label: t('retry'), onClick: () => void exec.refetch() }}
      />
    )
  }
  if (exec.isPending) return <Spinner label={t('loading')} />
  if (exec.data) return <ExecView exec={exec.data} />
  const startedMs = parseDate(session.date_start)?.valueOf() ?? 0
  return <TerminalReplay session={session} startedMs={startedMs} source={source} index={index} />
}
