import type { Readable, Transform } from 'node:stream'

/**
 * `source`, read through `through`. What fails is told to whoever reads: where nobody does (yet, or any more), it is no error that nobody
 * caught, which would end the process.
 */
export function passedThrough<T extends Transform>(source: Readable, through: T): T {
  source.once('error', (error) => through.destroy(error))
  through.on('error', () => {})
  return source.pipe(through)
}
