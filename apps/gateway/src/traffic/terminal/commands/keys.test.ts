import { expect, test } from 'vitest'
import { KeyReader } from './keys.ts'

test('a paste ends where its mark does, in however many pieces that comes', () => {
  const mark = '\x1b[201~'
  for (let at = 1; at < mark.length; at++) {
    const keys = new KeyReader()
    expect(keys.read(Buffer.from(`\x1b[200~echo one${mark.slice(0, at)}`))).toEqual([
      { kind: 'paste' },
      { kind: 'text', text: 'echo one' },
    ])
    expect(keys.read(Buffer.from(`${mark.slice(at)}\t`))).toEqual([{ kind: 'edit', isCompletion: true }])
    expect(keys.pasted).toBeUndefined()
  }
})

test('what only begins like the mark is text of the paste, and keys to a program that knows none', () => {
  const keys = new KeyReader()
  expect(keys.read(Buffer.from('\x1b[200~a\x1b[20'))).toEqual([
    { kind: 'paste' },
    { kind: 'text', text: 'a' },
  ])
  expect(keys.read(Buffer.from('5'))).toEqual([{ kind: 'text', text: '\x1b[205' }, { kind: 'edit' }])
})
