/** The code of a caught error, as Node ("ENOENT") and PostgreSQL ("28P01") set it. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** What a caught error says; its code when it says nothing (failed connections to several addresses). */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message === '' ? (codeOf(error) ?? 'unknown error') : message
}
