import { expect, test } from 'vitest'
import { Backlog } from './backlog.ts'

const flood = Buffer.alloc(500_000, 'x')

/** What the emulation gets of it, in order: keys in angle brackets, `…` where output was left out, and of many `x` one. */
function taken(backlog: Backlog): string {
  const parts: string[] = []
  while (!backlog.isEmpty)
    for (const step of backlog.next()) {
      if (step.kind === 'output') parts.push(Buffer.from(step.bytes).toString())
      else if (step.kind === 'input') parts.push(`<${Buffer.from(step.bytes ?? []).toString()}>`)
      else if (step.kind === 'gap') parts.push('…')
    }
  return parts.join('').replaceAll(/x+/g, 'x')
}

test('of a flood the echo of a key that was taken before is kept', () => {
  const backlog = new Backlog()
  backlog.input(Buffer.from('l'))
  backlog.next()
  backlog.output(Buffer.from('l'))
  backlog.input(Buffer.from('s'))
  backlog.output(Buffer.from('s'))
  backlog.output(flood)
  expect(taken(backlog)).toBe('l<s>sx…x')
})

test('of a flood the prompt is kept that nobody had read when a key was typed, at the beginning and behind other output', () => {
  for (const before of [Buffer.of(), flood]) {
    const backlog = new Backlog()
    backlog.add({ kind: 'open', size: { cols: 80, rows: 24 }, notice: '', isAgain: false })
    backlog.output(before)
    backlog.output(Buffer.from('box$ '))
    backlog.input(Buffer.from('l'))
    backlog.output(Buffer.from('l'))
    backlog.output(flood)
    expect(taken(backlog)).toMatch(/^(?:x…x)?box\$ <l>lx…x$/)
  }
})

test('of keys that are answered one by one no batch holds more than a few', () => {
  const backlog = new Backlog()
  for (let key = 0; key < 100; key++) {
    backlog.input(Buffer.from('l'))
    backlog.output(Buffer.from('l'))
  }
  const inputs = backlog.next().filter(({ kind }) => kind === 'input')
  expect(inputs.length).toBeLessThan(20)
  expect(taken(backlog).split('<l>').length - 1).toBe(100 - inputs.length)
})

test('of a window that is resized faster than it is drawn only the last size waits', () => {
  const backlog = new Backlog()
  for (let cols = 1; cols <= 5000; cols++) {
    backlog.output(Buffer.from('x'))
    backlog.resize({ cols, rows: 24 })
  }
  const sizes = []
  while (!backlog.isEmpty) sizes.push(...backlog.next().filter(({ kind }) => kind === 'resize'))
  expect(sizes).toEqual([{ kind: 'resize', size: { cols: 5000, rows: 24 } }])
})
