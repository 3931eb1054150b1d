import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { TestClient } from '../testing/client.ts'
import type { ShellConnection, TargetChannel, TerminalSize } from './ports.ts'
import { Program } from './program.ts'

test('a target is told of a window that is another than it knows, and of no other', async () => {
  const told: TerminalSize[] = []
  const channel: TargetChannel = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    resize: (size) => told.push(size),
    signal: () => {},
    endReading: () => {},
    exited: new Promise(() => {}),
    destroy: () => {},
  }
  const connection: ShellConnection = {
    shell: async () => channel,
    exec: async () => channel,
    roundTrip: async () => {},
    closed: new Promise(() => {}),
    end: () => {},
  }
  const size = { cols: 80, rows: 24 }
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
