import '../watch.css'
import './replay.css'
import { isReadable } from '@sallyport/contract/recording'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { parseDate } from '../../kit/dates/dates.ts'
import { useErrorText } from '../error-text.ts'
import type { Session } from '@sallyport/contract/resources/terminal'
import { useSession } from '../session.ts'
import { useText } from '../text.ts'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { ExecView } from './exec-view.tsx'
import { execRecordingOf } from './exec-recording.ts'
import { loadIndex, RecordingSource } from './recording-source.ts'
import { TerminalReplay } from './terminal-replay.tsx'

/** A running session's recording grows; this is how often it is looked at. */
const growthCheckMs = 5000

/** Replays a recorded session: a terminal with its timing, or a command with what it got and gave. */
export function ReplayPage({ sessionId }: { sessionId: string }) {
  const t = useText()
  const errorText = useErrorText()
  const session = useSession(sessionId)
  // What a lost gateway left never becomes complete.
  const isLost = session.data?.end_reason?.value === 'gateway_lost'
  const index = useQuery({
    queryKey: ['recording', sessionId],
    queryFn: ({ signal }) => loadIndex(sessionId, signal),
    refetchInterval: (query) => (query.state.data?.is_complete === false && !isLost ? growthCheckMs : false),
  })
  const asset = session.data?.asset
  useEffect(() => {
    document.title = asset === undefined ? t('webTerminal') : t('replayTitle', { asset })
  }, [asset, t])

  const error = session.error ?? index.error
  if (error) {
    const retry = () => {
      void session.refetch()
      void index.refetch()
    }
    return (
      <Notice
        title={session.error ? t('sessionNotFound') : t('replayUnavailable')}
        text={errorText(error)}
        action={{ label: t('retry'), onClick: retry }}
      />
    )
  }
  if (!session.data || !index.data) return <Spinner label={t('loading')} />
  if (!isReadable(index.data)) return <Notice title={t('replayUnavailable')} text={t('replayOfTomorrow')} />
  return <Recording session={session.data} index={index.data} />
}

function Recording({ session, index }: { session: Session; index: RecordingSource['index'] }) {
  const t = useText()
  const errorText = useErrorText()
  const [source] = useState(() => new RecordingSource(session.id, index))
  // The first frames tell whether it was a terminal or a command.
  const exec = useQuery({
    queryKey: ['recording', session.id, 'kind'],
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
  if (exec.data) return <ExecView session={session} exec={exec.data} />
  const startedMs = parseDate(session.date_start)?.valueOf() ?? 0
  return <TerminalReplay session={session} startedMs={startedMs} source={source} index={index} />
}
