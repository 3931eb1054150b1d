import { once } from 'node:events'
import net from 'node:net'
import { MessageParser } from 'ldapts'
import { afterAll, expect, test, vi } from 'vitest'
import { deafPort, quietPort } from '../../testing-ports.ts'
import { Messages } from './answers.ts'
import { checkPassword } from './client.ts'

const lengthOf = (n: number) =>
  n < 0x80 ? Buffer.from([n]) : Buffer.from([0x84, n >>> 24, (n >> 16) & 255, (n >> 8) & 255, n & 255])
type Part = string | Buffer
const part = (tag: number, ...inside: Part[]) => {
  const bytes = Buffer.concat(inside.map((one) => (typeof one === 'string' ? Buffer.from(one) : one)))
  return Buffer.concat([Buffer.from([tag]), lengthOf(bytes.length), bytes])
}
const text = (value: Part) => part(0x04, value)
const message = (id: number, ...inside: Part[]) => part(0x30, part(0x02, Buffer.from([id])), ...inside)
const result = (tag: number, code = 0, ...more: Part[]) =>
  part(tag, part(0x0a, Buffer.from([code])), text(''), text(''), ...more)
const entry = (dn: string, attributes: Record<string, string[]>) => {
  const each = Object.entries(attributes).map(([type, values]) =>
    part(0x30, text(type), part(0x31, ...values.map((value) => text(value)))),
  )
  return part(0x64, text(dn), part(0x30, ...each))
}
const page = (cookie: string) =>
  part(
    0xa0,
    part(0x30, text('1.2.840.113556.1.4.319'), text(part(0x30, part(0x02, Buffer.from([0])), text(cookie)))),
  )
const ann = entry('uid=ann,dc=x', { uid: ['ann'], cn: ['Ann'], mail: [], memberOf: ['cn=a', 'cn=b'] })
const bound = result(0x61)
const done = result(0x65)

const good: Record<string, Buffer> = {
  'a bind': message(2, bound),
  'a refused bind, with a control nobody knows': message(
    2,
    result(0x61, 49),
    part(0xa0, part(0x30, text('2.16.840.1.113730.3.4.4'), part(0x01, Buffer.from([0])), text('0'))),
  ),
  'a referral': message(3, result(0x65, 10, part(0xa3, text('ldap://a'), text('ldap://b')))),
  'an entry': message(3, ann),
  'a reference': message(3, part(0x73, text('ldap://a'))),
  'the end of a page': message(3, done, page('next')),
  'a notice': message(0, result(0x78, 52, part(0x8a, '1.3.6.1.4.1.1466.20036'))),
}
const handedOn = (bytes: Buffer, mostBytes = 1 << 20) =>
  [...new Messages(mostBytes).read(bytes)].map((one) => one.bytes)

test.each(Object.entries(good))('what is a message is handed on as it came: %s', (_what, bytes) => {
  expect(handedOn(bytes)).toEqual([bytes])
})

test('messages are found in whatever pieces they come', () => {
  const all = Object.values(good)
  const stream = Buffer.concat(all)
  for (const size of [1, 2, 3, 7, 64, stream.length]) {
    const messages = new Messages(1 << 20)
    const found = []
    for (let at = 0; at < stream.length; at += size)
      found.push(...[...messages.read(stream.subarray(at, at + size))].map((one) => one.bytes))
    expect(found).toEqual(all)
  }
})

const hex = (digits: string) => Buffer.from(digits, 'hex')
test.each<[string, Buffer]>([
  ['a length over the end', message(3, part(0x64, hex('04847fffffff')))],
  [
    'a list of values over the end',
    message(3, part(0x64, text('x'), part(0x30, hex('30000400'), hex('31847fffffff')))),
  ],
  ['elements in what is none', message(3, part(0x64, text('x'), part(0x04, hex('3000040031847fffffff'))))],
  ['a length cut off', message(3, part(0x64, text('x'), part(0x30, hex('3084'))))],
  ['a length without an end', hex('308002010361070a010004000400')],
  ['a length of too many bytes', hex('30850000000c02010361070a010004000400')],
  ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['a message too long', hex('30840400000104')],
  ['an answer nobody asked for', message(3, result(0x6b))],
  ['a control inside of the answer', message(3, result(0x65, 0, part(0xa0, hex('3084'))))],
  [
    'a list of orders',
    message(3, done, part(0xa0, part(0x30, text('1.2.840.113556.1.4.473'), text(part(0x30, hex('3000')))))),
  ],
  ['more behind the answer', message(3, done, text('x'))],
  ['more than was allowed', Buffer.alloc((1 << 20) + 1)],
  [
    'more elements than their bytes allow for',
    message(3, entry('x', { uid: Array.from({ length: 40_000 }, () => '') })),
  ],
])('what is none ends it: %s', (_what, bytes) => {
  expect(() => handedOn(bytes)).toThrow(Error)
})

test('whatever is changed in answers, the library comes to an end with what is handed on', () => {
  const answers = Object.values(good)
  // The same each time.
  let seed = 7
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return seed % below
  }
  let handed = 0
  for (let n = 0; n < 20_000; n += 1) {
    const bytes = Buffer.concat([
      answers[random(answers.length)] ?? bound,
      answers[random(answers.length)] ?? bound,
    ])
    for (let left = random(3); left >= 0; left -= 1)
      bytes[random(bytes.length)] =
        [0, 1, 2, 4, 0x30, 0x31, 0x7f, 0x80, 0x81, 0x84, 0xa0, 0xff, random(256)][random(13)] ?? 0
    const parser = new MessageParser()
    parser.on('error', () => {})
    try {
      for (const one of new Messages(1 << 20).read(bytes)) {
        handed += 1
        parser.read(one.bytes, new Map())
      }
    } catch (error) {
      expect(error).toMatchObject({ name: 'NoMessage' })
    }
  }
  expect(handed).toBeGreaterThan(5000)
})

/** Answers each request with what is next; the first byte behind the head of a short request is its number. */
const servers: net.Server[] = []
afterAll(() => servers.forEach((server) => server.close()))
async function saying(...answers: ((id: number) => Buffer)[]): Promise<string> {
  const server = net.createServer((socket) => {
    const left = [...answers]
    socket.on('error', () => {})
    socket.on('data', (asked: Buffer) => {
      const answer = left.shift()
      if (answer) socket.write(answer(asked[4] ?? 0))
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `ldap://127.0.0.1:${(server.address() as net.AddressInfo).port}`
}
const asked = (url: string, startTls = false) =>
  checkPassword(
    {
      url,
      startTls,
      connectTimeoutMs: 300,
      bindDn: 'cn=a',
      bindPassword: 'p',
      bases: ['dc=x'],
      filter: '(uid=%(user)s)',
      names: { username: 'uid', name: 'cn', email: 'mail', groups: 'memberOf' },
      pageSize: 100,
    },
    { username: 'ann', password: 'pw' },
    { timeoutMs: 5000 },
  )

test('a password is right by the answers of a directory', async () => {
  const url = await saying(
    (id) => message(id, bound),
    (id) => Buffer.concat([message(id, ann), message(id, done)]),
    (id) => message(id, bound),
  )
  expect(await asked(url)).toEqual({
    is: 'right',
    person: { username: 'ann', name: 'Ann', email: '', groups: ['a', 'b'] },
  })
})

test('an answer that is none ends the connection at once', async () => {
  const url = await saying(
    (id) => message(id, bound),
    (id) => message(id, part(0x64, hex('04847fffffff'))),
  )
  await expect(asked(url)).rejects.toMatchObject({ name: 'DirectoryFailure', part: 'server' })
})

const large = entry('uid=x,dc=x', { uid: ['x'.repeat(3 << 20)] })
test.each<[string, (id: number) => Buffer[]]>([
  ['what was not asked', (id) => [message(id + 1, large), message(id, ann), message(id, done)]],
  ['nothing in particular', (id) => [message(0, large), message(id, ann), message(id, done)]],
  ['what has its answer', (id) => [message(id, ann), message(id, done), message(id, large)]],
])('an answer to %s is not looked into, and ends the connection', async (_what, answers) => {
  const url = await saying(
    (id) => message(id, bound),
    (id) => Buffer.concat(answers(id)),
    (id) => message(id, bound),
  )
  const looks = vi.spyOn(JSON, 'stringify')
  await expect(asked(url)).rejects.toMatchObject({ name: 'DirectoryFailure', part: 'server' })
  expect(looks.mock.results.filter(({ value }) => String(value).length > 1 << 20)).toEqual([])
  looks.mockRestore()
})

test('who answers in the clear where it is encrypted is told in few words', async () => {
  const url = await saying(() => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await expect(asked(url.replace('ldap:', 'ldaps:'))).rejects.toThrow(/^[a-z ]{3,40}$/)
})

test.each([
  ['is never taken', deafPort, 'ldap', false],
  ['is never taken, and would be encrypted', deafPort, 'ldaps', false],
  ['is taken, and never encrypted', quietPort, 'ldaps', false],
  ['is taken, and never encrypted on asking', quietPort, 'ldap', true],
] as const)('a connection that %s is given up', async (_what, port, scheme, startTls) => {
  const url = `${scheme}://127.0.0.1:${await port()}`
  await expect(asked(url, startTls)).rejects.toThrow('the directory did not answer in time')
})
