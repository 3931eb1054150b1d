const superusers = new Set(['root', 'administrator'])

/** What such a form remembers: that the name alone has made the account a privileged one. */
interface Remembered {
  privileged?: unknown
  privileged_by_name?: unknown
}

/**
 * An account called as superusers are is a privileged one, unless the person says otherwise; no longer so once it is
 * called something else.
 */
export function superuserBy(
  username: unknown,
  { privileged, privileged_by_name: byName }: Remembered,
): { privileged?: boolean; privileged_by_name?: boolean } {
  const isSuperuser = typeof username === 'string' && superusers.has(username.toLowerCase())
  if (isSuperuser) return privileged === true ? {} : { privileged: true, privileged_by_name: true }
  return byName === true ? { privileged: false, privileged_by_name: false } : {}
}
