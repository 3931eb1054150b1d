import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { TestClient } from '../testing/client.ts'
import type { ShellConnection, TargetChannel, TerminalSize } from './ports.ts'
import { Program } from './program.ts'

const size = { cols: 80, rows: 24 }

/** A target whose channels do what is given, and nothing else. */
function targetWith(given: Partial<TargetChannel>, opened = Promise.resolve()): ShellConnection {
  const channel: TargetChannel = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    resize: () => {},
    signal: () => {},
    endReading: () => {},
    exited: new Promise(() => {}),
    destroy: () => {},
    ...given,
  }
  const open = async () => {
    await opened
    return channel
  }
  return {
    shell: open,
    exec: open,
    roundTrip: async () => {},
    closed: new Promise(() => {}),
    end: () => {},
  }
}

test('a target is told of a window that is another than it knows, and of no other', async () => {
  const told: TerminalSize[] = []
  const connection = targetWith({ resize: (size) => told.push(size) })
  const program = new Program(new TestClient({ terminal: { term: 'xterm', ...size } }))
  await program.open(connection, size, undefined)
  program.resize({ ...size })
  expect(told).toEqual([])
  const wider = { cols: 100, rows: 24 }
  program.resize(wider)
  program.resize({ ...wider })
  program.resize(size)
  expect(told).toEqual([wider, size])
})

test('a program is told of the signals that came before it ran', async () => {
  const told: string[] = []
  const client = new TestClient({ command: 'any' })
  const program = new Program(client)
  client.send('USR1')
  client.send('USR2')
  await program.open(targetWith({ signal: (name) => told.push(name) }), size, 'any')
  client.send('TERM')
  expect(told).toEqual(['USR1', 'USR2', 'TERM'])
})

test.each(['HUP', 'INT', 'KILL', 'QUIT', 'TERM'])(
  'a program that is sent %s before it runs ends as if its person had left, and is told where it runs all the same',
  async (name) => {
    const told: string[] = []
    const opened = Promise.withResolvers<void>()
    const client = new TestClient({ command: 'any' })
    const program = new Program(client)
    const left = new Promise<void>((leave) => program.onLeave(leave))
    const connection = targetWith(
      { signal: (signal) => told.push(signal), destroy: () => told.push('destroyed') },
      opened.promise,
    )
    const opening = program.open(connection, size, 'any')
    client.send(name)
    await left
    program.end()
    expect(await client.exited).toEqual({ kind: 'signal', name })
    opened.resolve()
    await opening
    expect(told).toEqual([name, 'destroyed'])
    await expect(program.open(connection, size, 'any')).rejects.toThrow()
  },
)
