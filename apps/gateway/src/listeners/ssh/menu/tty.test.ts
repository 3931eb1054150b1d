/** What is typed ahead, however much it is, takes nobody else's turn. */
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { SshChannelClient } from '../client.ts'
import { Tty } from './tty.ts'

const typed = 3000
const counter = { turns: 0, isCounting: false }
afterEach(() => (counter.isCounting = false))

/** A terminal at which ^C is typed many times at once, and a prompt for each. */
function ask(prompt: string) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const client = { stdin, stdout, isGone: false, onClose: () => {} } as unknown as SshChannelClient
  const tty = new Tty(client)
  stdin.write('\u0003'.repeat(typed))
  const state = { asked: 0 }
  const all = async () => {
    for (; state.asked < typed; state.asked++)
      expect(await tty.ask(prompt, { idleMs: 0 })).toEqual({ kind: 'cancel' })
  }
  return { stdout, state, done: all() }
}

async function countTurns(): Promise<void> {
  counter.turns = 0
  counter.isCounting = true
  for (; counter.isCounting; counter.turns++) await nextTurn()
}

test('others have their turn between one line and the next', async () => {
  const { stdout, done } = ask('> ')
  stdout.resume()
  void countTurns()
  await done
  expect(counter.turns).toBeGreaterThanOrEqual(typed - 1)
})

test('others have their turn between the keys of one line', async () => {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const client = { stdin, stdout, isGone: false, onClose: () => {} } as unknown as SshChannelClient
  stdout.resume()
  stdin.write(`${' '.repeat(255)}${'x\u0017'.repeat(typed)}\r`)
  void countTurns()
  expect(await new Tty(client).ask('> ', { idleMs: 0 })).toEqual({ kind: 'text', text: ' '.repeat(255) })
  expect(counter.turns).toBeGreaterThan(typed / 100)
})

test('no more is answered than the person takes', async () => {
  const { stdout, state, done } = ask('>'.repeat(1000))
  for (let turn = 0; turn < typed; turn++) await nextTurn()
  expect(state.asked).toBeLessThan(typed / 10)
  stdout.resume()
  await done
})
