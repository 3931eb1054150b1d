import { PassThrough, Writable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pump } from './pump.ts'

/** A source and what its sink got, with what was seen on the way. */
function world() {
  const source = new PassThrough()
  const got: string[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      got.push(chunk.toString())
      done()
    },
  })
  const tapped: string[] = []
  const pumping = pump(source, sink, {
    tap: (chunk) => tapped.push(chunk.toString()),
    room: () => undefined,
    spent: (chunk) => chunk.fill(0),
  })
  return { source, got, tapped, pumping }
}

test('what comes in one turn goes on as one piece, and its memory may be used again at once', async () => {
  const { source, got, tapped } = world()
  for (const part of ['one ', 'two ', 'three']) source.emit('data', Buffer.from(part))
  await expect.poll(() => got).toEqual(['one two three'])
  expect(tapped).toEqual(got)
})

test('a keystroke goes on before the next turn', async () => {
  const { source, got } = world()
  await sleep(5)
  source.emit('data', Buffer.from('a'))
  await Promise.resolve()
  expect(got).toEqual(['a'])
})

test('pieces larger than a packet, and many of them, arrive whole and in order', async () => {
  const { source, got, pumping } = world()
  const parts = Array.from({ length: 400 }, (_, index) =>
    `${index} `.repeat(1 + ((index * 37) % 9000)).slice(0, 40_000),
  )
  for (const part of parts)
    if (!source.write(part)) await new Promise((resolve) => source.once('drain', resolve))
  source.end()
  await pumping.ended
  expect(got.join('') === parts.join('')).toBe(true)
})

test('what came with the end is delivered before it', async () => {
  const { source, got, pumping } = world()
  source.end('last words')
  await pumping.ended
  expect(got.join('')).toBe('last words')
})

test('it has not ended before the sink is done with the last piece, however late that is', async () => {
  const source = new PassThrough()
  let take: (() => void) | undefined
  const sink = new Writable({ write: (_chunk, _encoding, done) => void (take = done) })
  const pumping = pump(source, sink, { tap: () => {}, room: () => undefined, spent: () => {} })
  const ended = pumping.ended.then(() => 'ended')
  source.end('last words')
  await expect.poll(() => take).toBeDefined()
  expect(await Promise.race([ended, sleep(20, 'not yet')])).toBe('not yet')
  take?.()
  expect(await ended).toBe('ended')
})

const broken = (): never => {
  throw new Error('broken')
}

test.each([
  ['what sees the bytes', { tap: broken }],
  ['what judges them', { gate: { take: broken, end: () => undefined } }],
  ['what they wait for', { room: () => Promise.reject(new Error('broken')) }],
])('where %s breaks, the pump fails alone, and no more goes on', async (_, part) => {
  const source = new PassThrough()
  const got: string[] = []
  const sink = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void got.push(String(chunk))) })
  const pumping = pump(source, sink, { tap: () => {}, room: () => undefined, spent: () => {}, ...part })
  source.write('one')
  await expect(pumping.ended).rejects.toThrow('broken')
  const before = got.splice(0)
  expect(before).toEqual('room' in part ? ['one'] : [])
  source.write('two')
  await sleep(5)
  expect(got).toEqual([])
})

test('others have their turn between the pieces a gate lets through', async () => {
  const source = new PassThrough()
  const sink = new PassThrough().resume()
  const pieces = 1000
  const gate = {
    // oxlint-disable-next-line require-await -- a gate that has nothing to wait for is what is tested
    async *take() {
      for (let at = 0; at < pieces; at++) yield Buffer.from('\n')
    },
    end: () => undefined,
  }
  const pumping = pump(source, sink, { tap: () => {}, room: () => undefined, spent: () => {}, gate })
  const counter = { turns: 0, isCounting: true }
  const count = async () => {
    for (; counter.isCounting; counter.turns++) await nextTurn()
  }
  void count()
  source.end('lines')
  await pumping.ended
  counter.isCounting = false
  expect(counter.turns).toBeGreaterThanOrEqual(pieces)
})
