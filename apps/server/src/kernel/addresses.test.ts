import { BlockList, isIP } from 'node:net'
import { expect, test } from 'vitest'
import { isAddresses, isAmong } from './addresses.ts'

/** What Node makes of a text: the answer there was before it was looked at by itself. */
function isKnownToNode(item: string): boolean {
  if (item === '*') return true
  const list = new BlockList()
  const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
  const text = item.trim()
  const [network = '', bits] = text.split('/')
  const [from = '', to] = text.split('-').map((end) => end.trim())
  const does = (work: () => void) => {
    try {
      work()
      return true
    } catch {
      return false
    }
  }
  if (bits !== undefined && /^\d{1,3}$/.test(bits))
    return does(() => list.addSubnet(network, Number(bits), family(network)))
  if (to !== undefined)
    return (
      does(() => list.addRange(from, to, family(from))) || does(() => list.addRange(to, from, family(from)))
    )
  return does(() => list.addAddress(text, family(text)))
}

const addresses = [
  '10.0.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '256.1.1.1',
  '1.2.3',
  '01.2.3.4',
  '1.2.3.4.5',
  ' 10.0.0.9 ',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  '2001:db8::ff',
  '::ffff:10.0.0.1',
  ':::',
  '1::2::3',
  'FFFF::',
  '',
  '*',
  'host',
  '10.0.0.0.',
  '-',
  '/',
  '１.2.3.4',
  '1.2.3.4\n',
  '[::1]',
  '10.0.0.1:22',
]
const bits = ['0', '8', '31', '32', '33', '64', '128', '129', '999', '1000', '', 'x', ' 8', '-1', '8/9', '08']

test('a text says which addresses are meant exactly where Node would make a list of it', () => {
  const texts = [
    ...addresses,
    ...addresses.flatMap((address) => bits.map((size) => `${address}/${size}`)),
    ...addresses.flatMap((from) =>
      addresses.flatMap((to) => [
        `${from}-${to}`,
        `${from} - ${to}`,
        `${from}-${to}-${from}`,
        `${from}-${to}/8`,
      ]),
    ),
  ]
  expect(texts.length).toBeGreaterThan(3000)
  expect(texts.filter((text) => isAddresses(text) !== isKnownToNode(text))).toEqual([])
  // All kinds are among them.
  expect(['*', '10.0.0.1', 'fe80::1', '10.0.0.1/8', '::/128', '::1-::'].every(isAddresses)).toBe(true)
})

test('what is said to mean addresses is what they are looked for in', () => {
  expect(isAmong('10.0.0.5', ['10.0.0.9-10.0.0.1'])).toBe(true)
  expect(isAmong('fe80::5', ['fe80::9-fe80::1', 'fe80::/16'])).toBe(true)
  expect(isAmong('fe80::5', ['::/200', 'x', '10.0.0.0/8'])).toBe(false)
})
