/** Loaded into a program, has it lose an open file and throw in a timer at SIGUSR2: what nobody foresees. Needs --expose-gc. */
import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

async function loseFile(): Promise<void> {
  await open(import.meta.filename)
  await sleep(1)
  globalThis.gc?.()
}

process.on('SIGUSR2', () => {
  setTimeout(() => {
    throw new Error('thrown in a timer')
  })
  void loseFile()
})
