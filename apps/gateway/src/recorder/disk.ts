import { access, constants, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disk } from '@sallyport/contract/gateway/reports'

/** With less than this no session begins … */
const roomMinBytes = 16 * 1024 * 1024
/** … and with less than this administrators are warned. */
const lowBytes = 512 * 1024 * 1024
/** Each session holds so much, for what has been shown when the disk turns out to be full, and for its end. */
const reserveBytes = 1024 * 1024
const reserveName = 'reserve'

/** On one that cannot be written to nothing is free, however much there is. */
export async function diskOf(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  const free_bytes = isWritable ? bavail * bsize : 0
  return { free_bytes, total_bytes: blocks * bsize, is_low: free_bytes < lowBytes }
}

/** Reserves room for a session's recording. Throws when there is too little, or the disk cannot be written to. */
export async function reserveRoom(folder: string): Promise<void> {
  // What keeps it from being written to says more than that it has no room.
  await access(folder, constants.W_OK)
  const { free_bytes } = await diskOf(folder)
  if (free_bytes < roomMinBytes) throw new Error(`the disk has only ${free_bytes} bytes left`)
  await writeFile(join(folder, reserveName), Buffer.alloc(reserveBytes), { mode: 0o600 })
}

export async function releaseRoom(folder: string): Promise<void> {
  await rm(join(folder, reserveName), { force: true })
}

export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
