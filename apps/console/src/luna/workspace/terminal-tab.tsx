import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { toast } from '../../kit/feedback/toast.ts'
import { maxPasteLength } from '../../kit/terminal/clipboard.ts'
import { TerminalSocket, type TerminalState } from '../../kit/terminal/terminal-socket.ts'
import { TerminalView } from '../../kit/terminal/terminal-view.ts'
import { useText } from '../text.ts'
import { Watermark } from '../ui/watermark.tsx'
import { KeyBar } from './key-bar.tsx'
import { PasteDialog, type PasteQuestion } from './paste-dialog.tsx'
import { SendingNote } from './sending-note.tsx'
import { isShutOut, StateOverlay } from '../state-overlay.tsx'

interface TerminalTabProps {
  tokenId: string
  assetName: string
  isActive: boolean
  onPhase: (phase: TerminalState['phase']) => void
  /** The session ended because the person may not be here any more, which the tab tells. */
  onShutOut: () => void
  /** A new session in the same place. */
  onRenew: () => void
}

/** One terminal and its connection, for the life of one session. */
export function TerminalTab({ tokenId, assetName, isActive, onPhase, onShutOut, onRenew }: TerminalTabProps) {
  const t = useText()
  const stageRef = useRef<HTMLDivElement>(null)
  const elementRef = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<TerminalView>()
  const [socket, setSocket] = useState<TerminalSocket>()
  const [state, setState] = useState<TerminalState>({ phase: 'asking' })
  const [sentPercent, setSentPercent] = useState<number>()
  const [question, setQuestion] = useState<PasteQuestion>()
  const latest = useRef({ onPhase, onShutOut, t })
  useLayoutEffect(() => {
    latest.current = { onPhase, onShutOut, t }
  })

  useEffect(() => {
    const element = elementRef.current
    if (!element) return undefined
    let pasteIsTrusted = false
    const newView = new TerminalView({
      onData: (text) => newSocket.send(text),
      onBinary: (bytes) => newSocket.sendBytes(bytes),
      onResize: (size) => newSocket.resize(size),
      confirmPaste: (text) =>
        pasteIsTrusted
          ? Promise.resolve(true)
          : new Promise((resolve) => {
              setQuestion({
                text,
                answer: (allowed, trustFromNow) => {
                  pasteIsTrusted = allowed && trustFromNow
                  setQuestion(undefined)
                  resolve(allowed)
                },
              })
            }),
      onPasteTooLong: () => {
        const limit = maxPasteLength.toLocaleString(document.documentElement.lang)
        toast.error(latest.current.t('pasteTooLong', { limit }))
      },
    })
    const newSocket = new TerminalSocket(
      { kind: 'connect', token: tokenId },
      {
        onState: (next) => {
          setState(next)
          latest.current.onPhase(next.phase)
          if (isShutOut(next)) latest.current.onShutOut()
          newView.setLive(next.phase !== 'ended')
          if (next.phase === 'live') newView.focus()
        },
        onOutput: (bytes, taken) => newView.write(bytes, taken),
        onScreenReset: (size) => newView.restart(size),
        onSession: () => {},
        onOwnerSize: () => {},
        onTypedHeld: setSentPercent,
      },
    )
    newView.open(element)
    setView(newView)
    setSocket(newSocket)
    // Not before the page has settled, so that the first size is right and a token is used once only.
    const starting = setTimeout(() => newSocket.start(newView.size))
    return () => {
      clearTimeout(starting)
      newSocket.close()
      newView.dispose()
    }
  }, [tokenId])

  useEffect(() => {
    if (!isActive || !view) return
    view.fit()
    view.focus()
  }, [isActive, view])

  const isEnded = state.phase === 'ended'
  // Whoever was in the terminal is led to where it is said, one Tab before what can be done now: keys that were meant for the session press
  // nothing there. Whoever was elsewhere stays there.
  useEffect(() => {
    if (!isEnded || !isActive || !elementRef.current?.contains(document.activeElement)) return
    stageRef.current?.querySelector<HTMLElement>('.state-bar')?.focus()
  }, [isEnded, isActive])

  return (
    <div className="terminal-tab" hidden={!isActive}>
      <div className="terminal-stage" ref={stageRef}>
        <div className="terminal-pane" ref={elementRef} />
        <Watermark asset={assetName} />
        {sentPercent !== undefined && (
          <SendingNote
            percent={sentPercent}
            onStop={() => {
              socket?.dropTyped()
              view?.focus()
            }}
          />
        )}
        <StateOverlay state={state} onRenew={onRenew} onReattach={() => socket?.reattach()} />
      </div>
      {view && <KeyBar view={view} />}
      {question && <PasteDialog question={question} />}
    </div>
  )
}
