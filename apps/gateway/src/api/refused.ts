import { access, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../log.ts'

/**
 * Offers what the server would not take once more at each start: it may be another server by now, or one that is well again. What is
 * refused again is set aside again, and said. `nameOf`: what a file of `refused` is called in the queue.
 */
export async function offerAgain(
  log: Log,
  refused: string,
  queue: string,
  nameOf: (file: string) => string = (file) => file,
): Promise<void> {
  const files = await readdir(refused).catch(() => [])
  if (files.length === 0) return
  log.warn({ folder: refused, refused: files.length }, 'what the server would not take is offered once more')
  for (const file of files) {
    const place = join(queue, nameOf(file))
    const isTaken = await access(place).then(
      () => true,
      () => false,
    )
    if (!isTaken) await rename(join(refused, file), place)
  }
}
