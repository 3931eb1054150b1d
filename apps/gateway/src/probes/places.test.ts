import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Places } from './places.ts'

test('a test of one host does not wait for the long one before it: places are taken in turn', async () => {
  const places = new Places<string>(2)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (owner: string, name: string) =>
    places.with(owner, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const long = Array.from({ length: 6 }, (_, at) => ask('long', `long ${at}`))
  const all = [...long, ask('short', 'short'), ask('other', 'other 0'), ask('other', 'other 1')]
  for (let left = all.length; left > 0; left--) {
    await setImmediate()
    ends.shift()?.()
  }
  await Promise.all(all)
  expect(begun).toEqual([
    'long 0',
    'long 1',
    'long 2',
    'short',
    'other 0',
    'long 3',
    'other 1',
    'long 4',
    'long 5',
  ])
})

test('a batch of hosts that hang leaves places free: a test that comes later begins at once', async () => {
  const places = new Places<string>(3, 2)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (owner: string, name: string) =>
    places.with(owner, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const hanging = Array.from({ length: 4 }, (_, at) => ask('hanging', `hanging ${at}`))
  await setImmediate()
  expect(begun).toEqual(['hanging 0', 'hanging 1'])
  const later = ask('later', 'later')
  await setImmediate()
  expect(begun).toEqual(['hanging 0', 'hanging 1', 'later'])
  while (begun.length < 5) {
    ends.shift()?.()
    await setImmediate()
  }
  for (const end of ends) end()
  await Promise.all([...hanging, later])
  expect(begun).toEqual(['hanging 0', 'hanging 1', 'later', 'hanging 2', 'hanging 3'])
})
