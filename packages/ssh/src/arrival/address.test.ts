import { expect, test } from 'vitest'
import { networkOf } from './address.ts'

test('an IPv4 address is counted as itself, however it is written', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7')
  expect(networkOf('::FFFF:c000:207')).toBe('192.0.2.7')
})

test('IPv6 addresses of one site count together, those of another do not', () => {
  const one = networkOf('2001:db8:1:2::1')
  expect(one).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff')).toBe(one)
  expect(networkOf('2001:db8:1:3::1')).not.toBe(one)
  expect(networkOf('fe80::1%eth0')).toBe(networkOf('fe80::2%eth1'))
  expect(networkOf('::1')).toBe('::/64')
  expect(networkOf('1:2:3:4:5:6:7:8')).toBe('1:2:3:4::/64')
  expect(networkOf('1::8')).toBe('1::/64')
})

test('what is no address is counted as it stands', () => {
  expect(networkOf('')).toBe('')
  expect(networkOf('a name')).toBe('a name')
})
