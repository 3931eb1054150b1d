import { useId } from 'react'
import type { TerminalEndReason, TerminalState } from '../kit/terminal/terminal-socket.ts'
import { signInHere } from './person.tsx'
import { type LunaMessage, useText } from './text.ts'
import { Button } from './ui/button.tsx'

/** For gateways that send no sentence of their own. */
const reasonTexts: Record<TerminalEndReason, LunaMessage> = {
  client_left: 'endClientLeft',
  target_closed: 'endTargetClosed',
  target_failed: 'endTargetFailed',
  target_lost: 'endTargetLost',
  killed: 'endKilled',
  idle: 'endIdle',
  max_time: 'endMaxTime',
  permission_expired: 'endPermissionExpired',
  command_refused: 'endCommandRefused',
  user_disabled: 'endUserDisabled',
  user_deleted: 'endUserDeleted',
  user_removed: 'endUserRemoved',
  recording_failed: 'endRecordingFailed',
  gateway_stopped: 'endGatewayStopped',
  gateway_lost: 'endGatewayLost',
  internal_error: 'endInternalError',
  refused: 'endRefused',
  replaced: 'endReplaced',
  not_found: 'endNotFound',
  unreachable: 'endUnreachable',
}

/** The sentence that tells how a session ended. */
export function useEndText(): (state: Extract<TerminalState, { phase: 'ended' }>) => string {
  const t = useText()
  return (state) => state.message || t(reasonTexts[state.reason])
}

/** Ends after which the person could not connect again. */
const finalEnds: ReadonlySet<TerminalEndReason> = new Set(['user_disabled', 'user_deleted', 'user_removed'])
/** Ends that log the person out as well. */
const endsOfLogin: ReadonlySet<TerminalEndReason> = new Set(['user_disabled', 'user_deleted'])
/** The login ended, and all terminals of it: who may come back logs in first. */
const isLoggedOut = (state: TerminalState) => state.phase === 'ended' && state.detail === 'sign_in_ended'
export const isShutOut = (state: TerminalState) => state.phase === 'ended' && endsOfLogin.has(state.reason)

interface StateOverlayProps {
  state: TerminalState
  onRenew: () => void
  onReattach: () => void
}

/** Says what the connection is doing, over the terminal whose last screen stays readable. */
export function StateOverlay({ state, onRenew, onReattach }: StateOverlayProps) {
  const t = useText()
  const endText = useEndText()
  const why = useId()
  if (state.phase === 'live') return null
  if (state.phase === 'ended') {
    return (
      <div className="state-bar is-ended" role="alert" tabIndex={-1}>
        <span id={why}>{endText(state)}</span>
        {state.canReattach && (
          <Button aria-describedby={why} onClick={onReattach}>
            {t('continueHere')}
          </Button>
        )}
        {isLoggedOut(state) ? (
          <a className="button" href={signInHere()} aria-describedby={why}>
            {t('signIn')}
          </a>
        ) : (
          !finalEnds.has(state.reason) && (
            <Button look="primary" aria-describedby={why} onClick={onRenew}>
              {t('reconnect')}
            </Button>
          )
        )}
      </div>
    )
  }
  return (
    <div className="state-bar" role="status">
      <span className="spinner-ring" aria-hidden="true" />
      <span>{t(state.phase)}</span>
    </div>
  )
}
