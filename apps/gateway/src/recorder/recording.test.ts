import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Recording } from './recording.ts'

test('a gateway that stood still does not take its disk for a broken one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-recording-'))
  const session = { id: '7d1c0000-0000-4000-8000-00000000000b', date_start: new Date().toISOString() }
  const recording = await Recording.open(join(folder, 'one'), session, 'terminal')
  const failures: Error[] = []
  recording.onFailure = (error) => failures.push(error)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    recording.output(Buffer.from('shown'))
    const flushed = recording.flush()
    // All timers are due before the loop hears of the disk.
    vi.advanceTimersByTime(10_000)
    await flushed
  } finally {
    vi.useRealTimers()
  }
  expect(failures).toEqual([])
  await recording.close()
  await rm(folder, { recursive: true })
})
