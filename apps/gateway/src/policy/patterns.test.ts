import { pino } from 'pino'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Pattern } from './pattern-messages.ts'
import { Patterns } from './patterns.ts'

const log = pino({ level: 'silent' })
const patterns = new Patterns(log, { textMs: 10_000 })
afterAll(async () => {
  await patterns.stop()
})

const pattern = (source: string, ignore_case = false): Pattern => ({ source, ignore_case })

test('the first pattern that is in a text is found, with what it found', async () => {
  const set = patterns.hold([pattern('\\bls\\b'), pattern('RM\\s+-rf', true), pattern('x')], 'one')
  expect(await set.find(['sudo rm  -rf x'])).toEqual({ index: 1, text: 'rm  -rf' })
  expect(await set.find(['sudo rm  -rf x'], 2)).toEqual({ index: 2, text: 'x' })
  expect(await set.find(['nothing', 'else'])).toBeUndefined()
  expect(await set.find(['nothing', 'ls'])).toEqual({ index: 0, text: 'ls' })
  set.release()
})

test('one that does not compile is told as such, where the search comes to it', async () => {
  const set = patterns.hold([pattern('first'), pattern('(?=a)'), pattern('last')], 'one')
  expect(await set.find(['first'])).toEqual({ index: 0, text: 'first' })
  expect(await set.find(['last'])).toEqual({ index: 1, text: undefined })
  expect(await set.find(['last'], 2)).toEqual({ index: 2, text: 'last' })
})

test('one that makes other engines try for ever does not', async () => {
  const set = patterns.hold([pattern('^(a+)+$'), pattern('(x?){64}x{64}')], 'one')
  const begun = performance.now()
  expect(await set.find([`${'a'.repeat(20_000)}!`])).toBeUndefined()
  expect(performance.now() - begun).toBeLessThan(5000)
})

test('ten thousand commands in a group are searched for beside the data path', async () => {
  const commands = Array.from({ length: 10_000 }, (_, number) => `\\bcommand-${number}\\b`).join('|')
  let longestMs = 0
  let last = performance.now()
  const turns = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last)
    last = performance.now()
  }, 5)
  const set = patterns.hold([pattern(commands, true)], 'one')
  expect(await set.find(['echo; COMMAND-9999 now'])).toEqual({ index: 0, text: 'COMMAND-9999' })
  expect(await set.find([`echo ${'harmless '.repeat(400)}`])).toBeUndefined()
  clearInterval(turns)
  expect(longestMs).toBeLessThan(1000)
})

test('a worker that does not answer is replaced, what it was busy with is refused, and the rest is answered', async () => {
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'
let text
parentPort.on('message', (order) => {
  if (order.kind === 'ask') text = order.texts[0]
  if (order.kind !== 'find') return
  if (text === 'stuck') for (;;);
  parentPort.postMessage({ found: { index: 0, text } })
})`)}`,
  )
  const stuck = new Patterns(log, { script, stalledMs: 500 })
  onTestFinished(() => stuck.stop())
  const set = stuck.hold([pattern('x')], 'one')
  const [first, second] = await Promise.allSettled([set.find(['stuck']), set.find(['fine'])])
  expect(first).toMatchObject({ status: 'rejected' })
  expect(second).toEqual({ status: 'fulfilled', value: { index: 0, text: 'fine' } })
})

test('costly questions of one organization delay another by one of them at most, and go unanswered alone', async () => {
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'
const ready = new Set()
const asked = new Map()
parentPort.on('message', (order) => {
  if (order.kind === 'ask') asked.set(order.question, order)
  if (order.kind !== 'find') return
  const { ids: [id], texts: [text] } = asked.get(order.question)
  if (!ready.has(id)) parentPort.postMessage({ next: order.from })
  else if (text === 'costly') for (;;);
  else parentPort.postMessage({ found: { index: 0, text } })
  ready.add(id)
})`)}`,
  )
  const busy = new Patterns(log, { script, textMs: 300 })
  onTestFinished(() => busy.stop())
  const quick = busy.hold([pattern('x')], 'other')
  expect(await quick.find(['fine'])).toEqual({ index: 0, text: 'fine' })
  let refused = 0
  const questions = Array.from({ length: 6 }, async () => {
    await busy
      .hold([pattern('y')], 'one')
      .find(['costly'])
      .catch(() => refused++)
  })
  for (let times = 1; times <= 2; times++) {
    expect(await quick.find(['fine'])).toEqual({ index: 0, text: 'fine' })
    expect(refused).toBeLessThanOrEqual(times)
  }
  await Promise.all(questions)
  expect(refused).toBe(6)
})

test('what is searched in many turns is handed over once, and is not kept when nobody waits for it any more', async () => {
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads'
let asked = 0
let turns = 0
const kept = new Set()
parentPort.on('message', (order) => {
  if (order.kind === 'ask') asked += kept.add(order.question) && 1
  if (order.kind === 'give_up') kept.delete(order.question)
  if (order.kind !== 'find') return
  const answer = JSON.stringify({ asked, turns, kept: kept.size })
  if (order.from.index === 7) parentPort.postMessage({ found: { index: 0, text: answer } })
  else if (turns++ < 50) parentPort.postMessage({ next: { index: 0, text: turns } })
  else setTimeout(() => parentPort.postMessage({ next: { index: 0, text: turns } }), 400)
})`)}`,
  )
  const slow = new Patterns(log, { script, stalledMs: 500 })
  onTestFinished(() => slow.stop())
  const set = slow.hold([pattern('x')], 'one')
  await expect(set.find(['long'])).rejects.toThrow('in time')
  const { text } = (await set.find(['then'], 7)) ?? {}
  expect(JSON.parse(text ?? '')).toMatchObject({ asked: 2, kept: 1 })
})
