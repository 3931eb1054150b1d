/** Records a session with three recordings into a folder, never ends by itself, and says what is on disk: to be killed. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Recordings } from '../session/recordings.ts'

const [folder = '', id = ''] = process.argv.slice(2)
const folderOf = (session: string) => join(folder, 'recordings', session)
const recordings = new Recordings({ folderOf, follow: () => {} }, (error) => {
  throw error
})
const all = [await recordings.open({ id, date_start: new Date().toISOString() }, 'terminal')]
for (const kind of ['command', 'terminal'] as const) all.push(await recordings.openBeside(kind))
for (let line = 1; ; line++) {
  for (const recording of all) recording.output(Buffer.from(`recording ${recording.number} line ${line}\n`))
  await Promise.all(all.map(async (recording) => await recording.flush()))
  process.stdout.write(`${line}\n`)
  await sleep(20)
}
