import { replayFilePath } from '@sallyport/contract/addresses'
import { detailUrl } from '@sallyport/contract/resource/resource'
import { TerminalTask } from '@sallyport/contract/resources/components'
import { Session } from '@sallyport/contract/resources/terminal'
import type { Action } from '../../../kit/actions/action.ts'
import { call } from '../../../kit/api/call.ts'
import { openMonitor, openReplay } from '../../../kit/terminal/session-windows.ts'

/** What an auditor can do with a session while it runs. */
export const terminate: Action<Session> = {
  name: 'terminate',
  title: 'terminate',
  titleMany: 'audit:terminateSelected',
  danger: true,
  when: (session, { can }) => session.can_terminate && can('terminal.terminate_session'),
  confirm: {
    reason: 'optional',
    content: (_sessions, text) => text('terminateReasonHint'),
    title: (sessions, text) => {
      const [only, ...others] = sessions
      return only && others.length === 0
        ? text('terminateQuestion', { user: only.user, asset: only.asset })
        : text('audit:terminateManyQuestion', { count: sessions.length })
    },
  },
  call: (sessions, { reason }) =>
    call(TerminalTask, 'killSessions', { body: { sessions: sessions.map(({ id }) => id), reason } }),
  done: 'terminateSent',
}

export const monitor: Action<Session> = {
  name: 'monitor',
  title: 'monitor',
  when: (session, { can }) => session.can_join && can('terminal.monitor_session'),
  call: ([session]) => session && openMonitor(session.id),
}

/** And when it is over. */
export const replay: Action<Session> = {
  name: 'replay',
  title: 'audit:replay',
  when: (session, { can }) => session.can_replay && can('terminal.view_sessionreplay'),
  call: ([session]) => session && openReplay(session.id),
}

export const download: Action<Session> = {
  name: 'download',
  title: 'audit:download',
  when: (session, { can }) => session.can_replay && can('terminal.download_sessionreplay'),
  // A download sends no header: its address names the organization.
  call: ([session]) =>
    session && location.assign(`${replayFilePath(detailUrl(Session, session.id))}?oid=${session.org_id}`),
}
