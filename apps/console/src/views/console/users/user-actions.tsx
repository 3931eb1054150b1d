import { User } from '@sallyport/contract/resources/users'
import type { Action } from '../../../kit/actions/action.ts'
import { calling } from '../../../kit/actions/calling.ts'
import { rowsNamed } from '../../../kit/actions/rows-named.ts'
import { disableAction } from '../../../kit/actions/usual-actions.ts'
import { call } from '../../../kit/api/call.ts'
import { selectionToken } from '../../../kit/api/hooks.ts'
import { nameOf } from '../../../kit/values/name-of.ts'
import { SessionsEnd } from './sessions-end.tsx'

export const removeFromOrganization: Action<User> = {
  ...calling(User, 'remove'),
  title: 'console:removeFromOrg',
  titleMany: 'console:removeSelected',
  permission: 'users.remove_user',
  hidden: (access) => access.inRoot || !access.hasLicence,
  danger: true,
  confirm: {
    content: (users, text) => (
      <>
        {text('console:removeFromOrgConfirm', { name: rowsNamed(users, text) })}
        <SessionsEnd users={users.map(({ id }) => id)} here />
      </>
    ),
  },
  call: async (users) => {
    const [only, ...others] = users
    if (only && others.length === 0) {
      await call(User, 'remove', { id: only.id })
    } else {
      const spm = await selectionToken(users.map(({ id }) => id))
      await call(User, 'removeListed', { query: { spm } })
    }
  },
  done: 'console:removed',
}

/** What deleting people ends, wherever they are. */
export const sessionsEnding = (users: readonly { id: string }[]) => (
  <SessionsEnd users={users.map(({ id }) => id)} />
)

/** Disabling people, after a question that says how many live sessions end with it. */
export const disableUsers: Action<User> = {
  ...disableAction<User>(User),
  confirm: {
    content: (users, text) => (
      <>
        {text('kit:disableConfirm', { names: rowsNamed(users, text) })}
        {sessionsEnding(users)}
      </>
    ),
  },
}

/** What can be done to a person's way to sign in, after a question that says what comes of it. */
const signIn = (
  asks:
    | 'console:resetMfaAsks'
    | 'console:resetPasswordAsks'
    | 'console:resetSshKeyAsks'
    | 'console:unblockAsks',
): Pick<Action<User>, 'permission' | 'confirm' | 'done'> => ({
  permission: 'users.change_user',
  confirm: {
    content: ([user], text) => user && text(asks, { name: nameOf(user), email: user.email }),
  },
  done: 'console:done',
})

export const resetMfa: Action<User> = {
  ...signIn('console:resetMfaAsks'),
  ...calling(User, 'resetMfa'),
  title: 'console:resetMfa',
  label: 'console:resetOne',
}

export const resetPassword: Action<User> = {
  ...signIn('console:resetPasswordAsks'),
  ...calling(User, 'sendPasswordReset'),
  title: 'console:resetPassword',
  label: 'console:send',
  when: ({ source }) => source.value === 'local',
}

export const resetSshKey: Action<User> = {
  ...signIn('console:resetSshKeyAsks'),
  ...calling(User, 'resetPublicKey'),
  title: 'console:resetSshKey',
  label: 'console:send',
  when: (user) => user.can_public_key_auth,
}

export const unblock: Action<User> = {
  ...signIn('console:unblockAsks'),
  ...calling(User, 'unblock'),
  title: 'console:unblockLogin',
  label: 'console:unblock',
  when: (user) => user.login_blocked,
}
