/** A password is in force; other sign-ins of the person end. */
export interface PasswordChanged {
  user_id: string
  /** Names as the books record people. */
  user: string
  change_by: string
  remote_addr: string
  /** It was taken away: its person is mailed a link to set another. */
  removed?: true
}

/** People are no longer members; whoever keeps grants there takes them back. */
export interface UsersLeftOrg {
  user_ids: readonly string[]
  org_id: string
}

/** How somebody proves with a second factor who they are is another now. */
export interface MfaChanged {
  user_id: string
  /** The person and whoever did it, as the books record people. */
  user: string
  by: string
  change: 'bound' | 'disabled' | 'reset' | 'recovery_codes' | 'passkey_added' | 'passkey_removed'
}

declare module '../../kernel/events.ts' {
  interface EventData {
    password_changed: PasswordChanged
    mfa_changed: MfaChanged
    users_left_org: UsersLeftOrg
  }
}
