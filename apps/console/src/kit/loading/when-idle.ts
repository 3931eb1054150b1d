const idleLimitMs = 2000

/** Fetches code that must be there when there is no network, once the browser has nothing else to do. */
export function fetchWhenIdle(loads: readonly (() => Promise<unknown>)[]): void {
  const fetchAll = () => {
    for (const load of loads) {
      // What is missing then says so when it is needed.
      load().catch(() => undefined)
    }
  }
  // Safari knows no idle time.
  if ('requestIdleCallback' in window) requestIdleCallback(fetchAll, { timeout: idleLimitMs })
  else setTimeout(fetchAll, idleLimitMs)
}
