import { type KeyboardEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { TerminalView } from '../../kit/terminal/terminal-view.ts'
import { showDuration } from '../duration.ts'
import { useErrorText } from '../error-text.ts'
import type { Session } from '@sallyport/contract/resources/terminal'
import { useText } from '../text.ts'
import { IconButton } from '../ui/button.tsx'
import { Watermark } from '../ui/watermark.tsx'
import { CommandList } from './command-list.tsx'
import { Player, speeds } from './player.ts'
import type { RecordingSource } from './recording-source.ts'

interface TerminalReplayProps {
  session: Session
  startedMs: number
  source: RecordingSource
  /** Newer than the source's own while the session still runs. */
  index: RecordingSource['index']
}

/** A recorded terminal with its controls: Space plays, arrows move five seconds. */
export function TerminalReplay({ session, startedMs, source, index }: TerminalReplayProps) {
  const elementRef = useRef<HTMLDivElement>(null)
  const [player, setPlayer] = useState<Player>()
  useEffect(() => {
    const element = elementRef.current
    if (!element) return undefined
    const view = new TerminalView(undefined, { scrollback: 1000 })
    const newPlayer = new Player(source, {
      reset: () => view.restart(),
      resize: (size) => view.setFixedSize(size),
      write: (bytes, taken) => view.write(bytes, taken),
    })
    view.setFixedSize(source.index)
    view.open(element)
    setPlayer(newPlayer)
    void newPlayer.seek(askedTimeMs(startedMs)).then(() => newPlayer.play())
    return () => {
      newPlayer.dispose()
      view.dispose()
    }
  }, [source, startedMs])
  useEffect(() => player?.extend(index), [player, index])

  return (
    <div className="replay-body">
      {player && (
        <Controls player={player} session={session} startedMs={startedMs} isComplete={index.is_complete} />
      )}
      <main className="watch-stage">
        <div className="terminal-pane is-fixed" ref={elementRef} />
        <Watermark asset={session.asset} />
      </main>
    </div>
  )
}

/** `?timestamp=` (unix seconds) names a moment; a few seconds before it is where one wants to begin. */
function askedTimeMs(startedMs: number) {
  const seconds = Number(new URLSearchParams(location.search).get('timestamp') ?? 0)
  return seconds > 0 ? Math.max(0, seconds * 1000 - startedMs - 5000) : 0
}

interface ControlsProps {
  player: Player
  session: Session
  startedMs: number
  isComplete: boolean
}

function Controls({ player, session, startedMs, isComplete }: ControlsProps) {
  const t = useText()
  const errorText = useErrorText()
  const state = useSyncExternalStore(player.subscribe, player.getState)
  const [showsCommands, setShowsCommands] = useState(() => !window.matchMedia('(max-width: 760px)').matches)
  const toggle = () => (state.isPlaying ? player.pause() : player.play())
  useReplayKeys((key) => {
    if (key === ' ') toggle()
    else if (key === 'ArrowLeft') void player.seek(state.positionMs - 5000)
    else if (key === 'ArrowRight') void player.seek(state.positionMs + 5000)
    else if (key === 'Home') void player.seek(0)
    else return false
    return true
  })
  const position = showDuration(state.positionMs)
  const duration = showDuration(state.durationMs)

  return (
    <>
      {showsCommands && (
        <CommandList
          sessionId={session.id}
          startedMs={startedMs}
          positionMs={state.positionMs}
          onSeek={(timeMs) => void player.seek(timeMs)}
        />
      )}
      <div className="replay-bar" role="toolbar" aria-label={t('replayTitle', { asset: session.asset })}>
        <IconButton
          icon={state.isPlaying ? 'pause' : 'play'}
          filled={!state.isPlaying}
          label={state.isPlaying ? t('pause') : t('play')}
          className="replay-play"
          onClick={toggle}
        />
        <IconButton icon="restart" label={t('restart')} onClick={() => void player.seek(0)} />
        <span className="replay-time">
          {position} / {duration}
        </span>
        <input
          type="range"
          className="replay-seek"
          min={0}
          max={Math.max(1, state.durationMs)}
          step={100}
          value={state.positionMs}
          aria-label={t('seekBar')}
          aria-valuetext={`${position} / ${duration}`}
          onChange={(event) => void player.seek(Number(event.target.value))}
        />
        <label className="replay-speed">
          <span className="visually-hidden">{t('speed')}</span>
          <select value={state.speed} onChange={(event) => player.setSpeed(Number(event.target.value))}>
            {speeds.map((speed) => (
              <option key={speed} value={speed}>
                {speed}×
              </option>
            ))}
          </select>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={state.skipsIdle}
            onChange={(event) => player.setSkipsIdle(event.target.checked)}
          />
          <span>{t('skipIdle')}</span>
        </label>
        <IconButton
          icon="list"
          label={showsCommands ? t('hideCommands') : t('showCommands')}
          aria-expanded={showsCommands}
          onClick={() => setShowsCommands(!showsCommands)}
        />
        <IconButton icon="fullscreen" label={t('fullScreen')} onClick={toggleFullScreen} />
      </div>
      <div className="replay-notes" role="status">
        {state.isWaiting && (
          <span>
            <span className="spinner-ring" aria-hidden="true" /> {t('loadingPart')}
          </span>
        )}
        {state.error !== undefined && (
          <span className="is-error">{`${t('replayBroken')} ${errorText(state.error)}`}</span>
        )}
        {state.mark === 'detached' && <span>{t('markDetached')}</span>}
        {!isComplete && <span>{t('replayIncomplete')}</span>}
      </div>
    </>
  )
}

/** Keys of the page, where no field wants them itself. */
function useReplayKeys(onKey: (key: string) => boolean) {
  const latest = useRef(onKey)
  useEffect(() => {
    latest.current = onKey
  })
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent | KeyboardEvent) => {
      const target = event.target
      const isControl =
        target instanceof Element &&
        target.closest('input, select, button, a, textarea:not(.xterm-helper-textarea)')
      if (isControl || event.ctrlKey || event.altKey || event.metaKey) return
      if (latest.current(event.key)) event.preventDefault()
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function toggleFullScreen() {
  if (document.fullscreenElement) void document.exitFullscreen()
  else void document.documentElement.requestFullscreen()
}
