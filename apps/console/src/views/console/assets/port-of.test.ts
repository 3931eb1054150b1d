import { expect, test } from 'vitest'
import { portOf } from './port-of.ts'

test.each([
  ['https://cloud.example', 443],
  ['http://cloud.example', 80],
  ['https://cloud.example:6443/path', 6443],
  ['cloud.example', 80],
  ['cloud.example:8080', 8080],
  ['https://[2001:db8::1]:9443', 9443],
  ['https://cloud.example:70000', undefined],
  ['', undefined],
])('the port of %s is %s', (address, port) => {
  expect(portOf(address)).toBe(port)
})
