import type { Session } from '@sallyport/contract/resources/terminal'
import type { Action } from '../../../kit/actions/action.ts'
import { api } from '../../../kit/api/client.ts'
import { openMonitor, openReplay } from './session-windows.ts'

/** What an auditor can do with a session while it runs. */
export const terminate: Action<Session> = {
  name: 'terminate',
  title: 'terminate',
  titleMany: 'terminateSelected',
  danger: true,
  when: (session, { can }) => session.can_terminate && can('terminal.terminate_session'),
  confirm: {
    title: (sessions, text) => {
      const [only, ...others] = sessions
      return only && others.length === 0
        ? text('terminateQuestion', { user: only.user, asset: only.asset })
        : text('terminateManyQuestion', { count: sessions.length })
    },
  },
  call: (sessions) =>
    api.post(
      'terminal/tasks/kill-session/',
      sessions.map(({ id }) => id),
    ),
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
  title: 'replay',
  when: (session, { can }) => session.can_replay && can('terminal.view_sessionreplay'),
  call: ([session]) => session && openReplay(session.id),
}

export const download: Action<Session> = {
  name: 'download',
  title: 'download',
  when: (session, { can }) => session.can_replay && can('terminal.download_sessionreplay'),
  // A download sends no header: its address names the organization.
  call: ([session]) =>
    session &&
    location.assign(`/api/v1/terminal/sessions/${session.id}/replay/download/?oid=${session.org_id}`),
}
