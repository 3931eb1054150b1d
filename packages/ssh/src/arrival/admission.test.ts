import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { Admission } from './admission.ts'

const startups = { start: 20, rate: 100, full: 20 }
const startupsOfAddress = { start: 3, rate: 100, full: 3 }

function arrive(admission: Admission, address: string): PassThrough {
  const stream = new PassThrough()
  expect(admission.admit(stream, address)).toBe(true)
  return stream
}

test('who waits beyond what an address may costs its own address places, never another’s or who has logged in', () => {
  const admission = new Admission({ startups, startupsOfAddress })
  const other = arrive(admission, '192.0.2.1')
  const person = arrive(admission, '192.0.2.2')
  admission.loggedIn(person)
  const crowd = Array.from({ length: 30 }, () => arrive(admission, '192.0.2.2'))
  expect(crowd.filter((stream) => !stream.destroyed)).toHaveLength(3)
  expect(crowd.at(-1)?.destroyed).toBe(false)
  expect([other.destroyed, person.destroyed]).toEqual([false, false])
})

test('all addresses of one IPv6 network have the room of one', () => {
  const admission = new Admission({ startups, startupsOfAddress })
  const other = arrive(admission, '2001:db8:0:2::1')
  const crowd = Array.from({ length: 30 }, (_none, n) => arrive(admission, `2001:db8:0:1::${n}`))
  expect(crowd.filter((stream) => !stream.destroyed)).toHaveLength(3)
  expect(other.destroyed).toBe(false)
})

test('from however many addresses they come, so many wait in all', () => {
  const admission = new Admission({ startups, startupsOfAddress })
  const crowd = Array.from({ length: 50 }, (_none, n) => arrive(admission, `192.0.2.${n}`))
  expect(crowd.filter((stream) => !stream.destroyed)).toHaveLength(20)
})
