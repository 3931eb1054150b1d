import { cronParts, isCronPart } from '@sallyport/contract/cron'
import { expect, test } from 'vitest'
import type { KitText } from '../../../text.ts'
import { readPart, stepProblem, writePart } from './part-choice.ts'

const [minute, , , month, week] = cronParts

test('a part of a schedule is read as it can be chosen', () => {
  expect(readPart('*', minute)).toEqual({ mode: 'every' })
  expect(readPart('*/15', minute)).toEqual({ mode: 'step', every: 15 })
  expect(readPart('5-20', minute)).toEqual({ mode: 'range', from: 5, to: 20 })
  expect(readPart('mon-fri', week)).toEqual({ mode: 'range', from: 1, to: 5 })
  expect(readPart('jan,7', month)).toEqual({ mode: 'list', values: [1, 7] })
  expect(readPart('', minute)).toEqual({ mode: 'list', values: [] })
})

test('what is written in another way stays as it is written', () => {
  for (const text of ['1-9/2', '*/2,5', '9-5', 'daily', '60'])
    expect(readPart(text, minute)).toEqual({ mode: 'other' })
})

test('what is chosen is a part of a schedule, and read as what was chosen', () => {
  for (const choice of [
    { mode: 'every' },
    { mode: 'range', from: 3, to: 7 },
    { mode: 'step', every: 4 },
    { mode: 'list', values: [1, 3, 6] },
  ] as const) {
    const text = writePart(choice)
    expect(isCronPart(text, week)).toBe(true)
    expect(readPart(text, week)).toEqual(choice)
  }
})

test('a range never ends before it begins, and a list is in order', () => {
  expect(writePart({ mode: 'range', from: 9, to: 5 })).toBe('9-9')
  expect(writePart({ mode: 'list', values: [30, 0, 15] })).toBe('0,15,30')
})

test('a number of steps that is no whole one, or out of bounds, is refused with a reason, and what is typed stays', () => {
  const said: KitText = (key, values) => [key, ...Object.values(values ?? {})].join(' ')
  const problems = ['*/', '*/0', '*/-3', '*/1.5', '*/70', '*/59', '*'].map((text) => {
    const choice = readPart(text, minute)
    if (choice.mode === 'step') expect(writePart(choice)).toBe(text)
    return stepProblem(text, minute, said)
  })
  expect(problems).toEqual([
    'required',
    'tooLittle 1',
    'tooLittle 1',
    'notWhole',
    'tooMuch 59',
    undefined,
    undefined,
  ])
})
