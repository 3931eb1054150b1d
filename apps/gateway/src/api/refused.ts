import { readdir } from 'node:fs/promises'
import type { Log } from '../log.ts'

/** Says at each start what the server would not take, until somebody has looked at it and taken it away. */
export async function tellRefused(log: Log, folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  if (names.length === 0) return
  log.warn(
    { folder, refused: names.length },
    'the server would not take what lies in this folder; look into it, and remove it when it is no longer needed',
  )
}
