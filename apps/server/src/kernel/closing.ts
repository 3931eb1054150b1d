import type { Logger } from './log.ts'

/** What takes longer than `timeoutMs` to close is left behind, so that what is closed after it is. */
export async function closeInTime(
  what: string,
  close: () => Promise<void>,
  { timeoutMs, log }: { timeoutMs: number; log: Logger },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.error({ what, timeoutMs }, 'something did not close in time and is left behind')
      resolve()
    }, timeoutMs)
  })
  try {
    await Promise.race([close(), late])
  } finally {
    clearTimeout(timer)
  }
}
