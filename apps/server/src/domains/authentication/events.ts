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

declare module '../../kernel/events.ts' {
  interface EventData {
    login: Login
  }
}
