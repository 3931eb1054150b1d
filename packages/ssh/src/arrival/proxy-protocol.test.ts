import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { parseProxyHeader, takeProxyHeader } from './proxy-protocol.ts'

const signature = '0d0a0d0a000d0a515549540a'
const binary = (rest: string) => Buffer.from(signature + rest, 'hex')
const line = (text: string) => Buffer.from(`${text}\r\n`)

test.each([
  ['version 1', line('PROXY TCP4 192.0.2.7 198.51.100.1 50000 22'), '192.0.2.7'],
  ['version 1 with IPv6', line('PROXY TCP6 2001:db8::7 2001:db8::1 50000 22'), '2001:db8::7'],
  ['version 1 with a long IPv6', line('PROXY TCP6 2001:DB8:0:0:0:0:0:7 ::1 50000 22'), '2001:db8::7'],
  ['version 1 with IPv4 in IPv6', line('PROXY TCP6 ::FFFF:10.1.2.5 ::1 50000 22'), '10.1.2.5'],
  [
    'version 2 with IPv4 in IPv6',
    binary(`21210024${'0'.repeat(20)}ffff0a010205${'0'.repeat(20)}ffff7f0000010bb80016`),
    '10.1.2.5',
  ],
  ['version 1 of nobody known', line('PROXY UNKNOWN'), undefined],
  ['version 2', binary('2111000cc0000207c63364010bb80016'), '192.0.2.7'],
  [
    'version 2 with IPv6',
    binary('2121002420010db800000000000000000000000720010db80000000000000000000000010bb80016'),
    '2001:db8::7',
  ],
  ['version 2 with more than addresses', binary('2111000fc0000207c63364010bb80016040000'), '192.0.2.7'],
  ['version 2 for the load balancer itself', binary('20000000'), undefined],
])('%s says who comes, however it is cut', (_name, header, address) => {
  const whole = Buffer.concat([header, Buffer.from('SSH-2.0-x\r\n')])
  for (let length = 0; length < header.length; length++)
    expect(parseProxyHeader(whole.subarray(0, length))).toBeUndefined()
  expect(parseProxyHeader(whole)).toEqual({ address, length: header.length })
})

test.each([
  ['a client that comes directly', line('SSH-2.0-OpenSSH_9.2')],
  ['an address that is none', line('PROXY TCP4 example.com 198.51.100.1 50000 22')],
  ['an address of the other family', line('PROXY TCP4 ::1 ::1 50000 22')],
  ['a line without end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
  ['another version', binary('3111000cc0000207c63364010bb80016')],
  ['addresses cut off', binary('21110004c0000207')],
  ['a body beyond all bounds', binary('2111ffff')],
])('%s is refused', (_name, bytes) => {
  expect(() => parseProxyHeader(bytes)).toThrow('No PROXY header')
})

test('what follows the header stays for whoever reads next', async () => {
  const stream = new PassThrough()
  const address = takeProxyHeader(stream, 10_000)
  for (const piece of ['PROXY TCP4 192.0.2.7 ', '198.51.100.1 50000 22\r\nSSH-', '2.0-x\r\n'])
    stream.write(piece)
  stream.end()
  expect(await address).toBe('192.0.2.7')
  expect(await text(stream)).toBe('SSH-2.0-x\r\n')
})

test('who says nothing of himself in time, or leaves before, is nobody', async () => {
  await expect(takeProxyHeader(new PassThrough(), 1)).rejects.toThrow('in time')
  const leaving = new PassThrough()
  const address = takeProxyHeader(leaving, 10_000)
  leaving.destroy()
  await expect(address).rejects.toThrow('has gone')
})
