/** Something seen or done that changes no row: a secret read, a list exported, a session watched. */
export interface Operated {
  action: 'view' | 'connect' | 'login' | 'change_password'
  /** `app.model` of the resource. */
  resource_type: string
  /** Its name, as people know it. */
  resource: string
  resource_id?: string
  /** Of the thing seen, where the caller may be in the view of all organizations. */
  org_id?: string
}

declare module '../../kernel/events.ts' {
  interface EventData {
    operated: Operated
  }
}
