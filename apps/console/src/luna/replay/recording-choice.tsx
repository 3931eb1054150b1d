import type { RecordingKind, SessionRecordings } from '@sallyport/contract/recording'
import { showDuration } from '../duration.ts'
import { type LunaMessage, useText } from '../text.ts'

const kindNames: Record<RecordingKind, LunaMessage> = {
  terminal: 'recordingTerminal',
  command: 'recordingCommand',
}
const isKnown = (kind: string | null): kind is RecordingKind =>
  kind !== null && Object.hasOwn(kindNames, kind)

interface RecordingChoiceProps {
  recordings: SessionRecordings
  shown: number
  onChoose: (number: number) => void
}

/** Which of a session's recordings is shown; nothing where there is no choice. */
export function RecordingChoice({ recordings, shown, onChoose }: RecordingChoiceProps) {
  const t = useText()
  if (recordings.length < 2) return null
  return (
    <label className="recording-choice">
      <span>{t('recording')}</span>
      <select value={shown} onChange={(event) => onChoose(Number(event.target.value))}>
        {recordings.map(({ number, kind, duration_ms }) => (
          <option key={number} value={number}>
            {`${number}. ${t(isKnown(kind) ? kindNames[kind] : 'recordingOther')} · ${showDuration(duration_ms)}`}
          </option>
        ))}
      </select>
    </label>
  )
}

/** `?recording=` of the address. */
export function recordingHere(): number | undefined {
  const asked = new URLSearchParams(location.search).get('recording') ?? ''
  return /^[1-9]\d*$/.test(asked) ? Number(asked) : undefined
}

/** Names it in the address, for whoever comes back. */
export function rememberRecording(number: number): void {
  const url = new URL(location.href)
  url.searchParams.set('recording', String(number))
  history.replaceState(history.state, '', url)
}
