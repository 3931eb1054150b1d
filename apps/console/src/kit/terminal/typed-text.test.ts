import { terminalInputWindowBytes } from '@sallyport/contract/terminal-socket'
import { expect, it } from 'vitest'
import { interrupt, TypedText } from './typed-text.ts'

/** What a person types, and a gateway that takes it while it `isThere`. */
function typing() {
  const taken: string[] = []
  const line = { isThere: true }
  const typed = new TypedText(
    (data) => line.isThere && taken.push(typeof data === 'string' ? data : String.fromCharCode(...data)),
    () => {},
  )
  const bytes = () => Buffer.byteLength(taken.join(''))
  const acknowledge = (given = bytes(), others = {}) =>
    typed.acknowledge({ taken: bytes(), bytes: given, sockets: 1, refused: 0, ...others })
  typed.begin()
  acknowledge()
  return { typed, taken, line, bytes, acknowledge }
}

const long = Array.from({ length: 60_000 }, (_none, at) => `${at}😀`).join(' ')

it('keeps a window under way, and gives on what waits as there is room', () => {
  const { typed, taken, bytes, acknowledge } = typing()
  typed.add(long)
  typed.add('then')
  let given = 0
  while (taken.at(-1) !== 'then') {
    expect(bytes() - given).toBeLessThanOrEqual(terminalInputWindowBytes)
    expect(bytes()).toBeGreaterThan(given)
    given = bytes()
    acknowledge(given)
  }
  expect(taken.join('')).toBe(`${long}then`)
})

it('sends again what the gateway had not taken when the socket was lost, keys and mouse alike', () => {
  const { typed, taken, line, acknowledge } = typing()
  typed.add('a')
  line.isThere = false
  typed.add('漢')
  typed.add(Uint8Array.of(0x1b, 0x5b, 0x4d))
  typed.add('c')
  typed.lose()
  line.isThere = true
  typed.add('d')
  expect(taken.join('')).toBe('a')
  acknowledge()
  expect(taken.join('')).toBe('a漢\u001b[Mcd')
})

it('tells a program that a paste is over of which the rest is given up', () => {
  const { typed, taken } = typing()
  typed.add(`\u001b[200~${long}\u001b[201~`)
  const sent = taken.join('')
  typed.drop()
  typed.add(interrupt)
  expect(taken.join('')).toBe(`${sent}\u001b[201~${interrupt}`)
})

it('says nothing of a paste to a program that was sent nothing of it', () => {
  const { typed, taken } = typing()
  typed.add(long)
  const sent = taken.join('')
  typed.add('\u001b[200~more\u001b[201~')
  typed.drop()
  typed.add(interrupt)
  expect(taken.join('')).toBe(`${sent}${interrupt}`)
})

it('begins where the gateway is, in a session that was taken up elsewhere meanwhile', () => {
  const { typed, taken } = typing()
  typed.add('here')
  typed.clear()
  typed.add('again')
  typed.acknowledge({ taken: 1000, bytes: 1000, sockets: 1, refused: 0 })
  typed.lose()
  typed.acknowledge({ taken: 1005, bytes: 1000, sockets: 2, refused: 0 })
  expect(taken).toEqual(['here', 'again'])
})

it('gives up what waits when a line was not let through, which it was to follow', () => {
  const { typed, taken, bytes, acknowledge } = typing()
  typed.add(long)
  const sent = taken.join('')
  acknowledge(bytes(), { refused: 1 })
  typed.add('next')
  expect(taken.join('')).toBe(`${sent}next`)
  // It has heard of that one.
  typed.add(long)
  const before = bytes()
  acknowledge(bytes(), { refused: 1 })
  expect(bytes()).toBeGreaterThan(before)
})

it('sends nothing more of what it holds when somebody was at another page meanwhile', () => {
  const { typed, taken, bytes, line, acknowledge } = typing()
  typed.add(long)
  const sent = taken.join('')
  line.isThere = false
  typed.lose()
  line.isThere = true
  typed.acknowledge({ taken: bytes() + 5, bytes: bytes() + 5, sockets: 3, refused: 0 })
  acknowledge(bytes() + 5, { taken: bytes() + 5, sockets: 3 })
  expect(taken.join('')).toBe(sent)
})

it('sends nothing again that was lost on the way, where a line before it was not let through meanwhile', () => {
  const { typed, taken, line, acknowledge } = typing()
  typed.add('refused\r')
  acknowledge()
  line.isThere = false
  typed.add('to follow it\r')
  typed.lose()
  line.isThere = true
  acknowledge(undefined, { sockets: 2, refused: 1 })
  typed.add('next')
  expect(taken).toEqual(['refused\r', 'next'])
})

it('sends nothing again that was under way behind a line of which it heard that it was not let through', () => {
  const { typed, taken, line, acknowledge } = typing()
  typed.add('refused\r')
  acknowledge()
  line.isThere = false
  typed.add('to follow it\r')
  acknowledge(undefined, { refused: 1 })
  typed.add('typed since')
  typed.lose()
  line.isThere = true
  acknowledge(undefined, { sockets: 2, refused: 1 })
  expect(taken).toEqual(['refused\r', 'typed since'])
  acknowledge(undefined, { sockets: 2, refused: 1 })
  line.isThere = false
  typed.add('later')
  typed.lose()
  line.isThere = true
  acknowledge(undefined, { sockets: 3, refused: 1 })
  expect(taken.at(-1)).toBe('later')
})
