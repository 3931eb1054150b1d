/** Something seen or done that changes no row of its own: a secret read, a list exported, a session watched or ended. */
export interface Operated {
  action: 'view' | 'create' | 'connect' | 'login' | 'change_password' | 'monitor' | 'terminate'
  /** `app.model` of the resource. */
  resource_type: string
  /** Its name, as people know it. */
  resource: string
  resource_id?: string
  /** Why, in the words of who did it. */
  reason?: string
  /** Of the thing seen, where the caller may be in the view of all organizations. */
  org_id?: string
}

declare module '../../kernel/events.ts' {
  interface EventData {
    operated: Operated
  }
}
