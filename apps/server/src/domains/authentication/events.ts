/** Somebody was let in, or not. */
export interface Login {
  username: string
  /** By the page, from a terminal, by a program. */
  type: 'W' | 'T' | 'U'
  ip: string
  user_agent: string
  status: boolean
  /** Why not, a key of the catalogue; empty for success. */
  reason: string
  /** What was checked. */
  backend: string
  /** Second factor: off, on, unknown. */
  mfa: 0 | 1 | 2
}

/** A person's browsers, tokens and keys were ended, but for the browser named; what runs on them follows. */
export interface SignInsEnded {
  user_id: string
  kept_session_id: string | undefined
}

/** Browsers of a person were signed out; of the person's other sign-ins none was ended. */
export interface BrowsersSignedOut {
  user_id: string
  session_ids: readonly string[]
}

declare module '../../kernel/events.ts' {
  interface EventData {
    login: Login
    sign_ins_ended: SignInsEnded
    browsers_signed_out: BrowsersSignedOut
  }
}
