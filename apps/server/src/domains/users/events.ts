/** A password is in force; other sign-ins of the person end. */
export interface PasswordChanged {
  user_id: string
  /** Names as the books record people. */
  user: string
  change_by: string
  remote_addr: string
}

/** People are no longer members; whoever keeps grants there takes them back. */
export interface UsersLeftOrg {
  user_ids: readonly string[]
  org_id: string
}

declare module '../../kernel/events.ts' {
  interface EventData {
    password_changed: PasswordChanged
    users_left_org: UsersLeftOrg
  }
}
