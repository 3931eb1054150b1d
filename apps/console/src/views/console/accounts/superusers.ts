const superusers = new Set(['root', 'administrator'])

/** An account called as superusers are is a privileged one, unless the person says otherwise. */
export function superuserBy(username: unknown): { privileged?: true } {
  return typeof username === 'string' && superusers.has(username.toLowerCase()) ? { privileged: true } : {}
}
