import { message } from '../wire/messages.ts'
import { Writer } from '../wire/writer.ts'

type Random = (limit: number) => number
type Kind = (body: Writer, random: Random) => Writer

const bytes = (random: Random) => Buffer.alloc(random(200), random(256))
const id = (random: Random) => random(3)
const none: Kind = (body) => body
const oneOf = (random: Random, ...names: string[]) => names[random(names.length)] ?? ''
const methods = ['publickey', 'password', 'keyboard-interactive', 'none']

/** Every message there is, as it may look. */
const kinds: [number: number, kind: Kind][] = [
  [message.disconnect, (body) => body.uint32(11).string('').string('')],
  [message.ignore, (body, random) => body.string(bytes(random))],
  [message.unimplemented, (body, random) => body.uint32(random(10))],
  [message.debug, (body) => body.boolean(true).string('hello').string('')],
  [message.serviceRequest, (body, random) => body.string(oneOf(random, 'ssh-userauth', 'ssh-connection'))],
  [message.serviceAccept, (body) => body.string('ssh-userauth')],
  [message.extInfo, (body) => body.uint32(1).string('server-sig-algs').string('ssh-ed25519')],
  [message.kexInit, (body, random) => body.bytes(bytes(random))],
  [message.newKeys, none],
  [message.kexFirst, (body, random) => body.string(Buffer.alloc(32, random(256)))],
  [message.kexFirst + 1, (body, random) => body.string(bytes(random)).string(bytes(random)).string('')],
  [message.kexFirst + 4, (body) => body.uint32(2048).uint32(2048).uint32(4096)],
  [
    message.userauthRequest,
    (body, random) =>
      body
        .string(oneOf(random, 'ann', 'ann', 'bob'))
        .string('ssh-connection')
        .string(oneOf(random, ...methods))
        .boolean(false)
        .string('wrong'),
  ],
  [
    message.userauthRequest,
    (body) =>
      body.string('ann').string('ssh-connection').string('keyboard-interactive').string('').string(''),
  ],
  [message.userauthRequest, (body) => body.string('ann').string('ssh-connection').string('none')],
  [message.userauthFailure, (body, random) => body.nameList(methods).boolean(random(2) === 0)],
  [message.userauthSuccess, none],
  [message.userauthBanner, (body) => body.string('Hello\r\n').string('')],
  [
    message.userauthInfoRequest,
    (body, random) =>
      body
        .string('')
        .string('')
        .string('')
        .uint32(1)
        .string('?')
        .boolean(random(2) === 0),
  ],
  [message.userauthInfoResponse, (body, random) => body.uint32(1).string(bytes(random))],
  [
    message.globalRequest,
    (body, random) =>
      body
        .string(oneOf(random, 'keepalive@openssh.com', 'tcpip-forward', 'no-more-sessions@openssh.com'))
        .boolean(random(2) === 0),
  ],
  [message.requestSuccess, none],
  [message.requestFailure, none],
  [
    message.channelOpen,
    (body, random) =>
      body
        .string(oneOf(random, 'session', 'session', 'x11'))
        .uint32(id(random))
        .uint32(random(5000))
        .uint32(1 + random(5000)),
  ],
  [
    message.channelOpen,
    (body, random) =>
      body
        .string('direct-tcpip')
        .uint32(id(random))
        .uint32(1000)
        .uint32(1000)
        .string('127.0.0.1')
        .uint32(22)
        .string('')
        .uint32(0),
  ],
  [
    message.channelOpenConfirmation,
    (body, random) => body.uint32(id(random)).uint32(id(random)).uint32(1000).uint32(1000),
  ],
  [message.channelOpenFailure, (body, random) => body.uint32(id(random)).uint32(1).string('no').string('')],
  [
    message.channelWindowAdjust,
    (body, random) => body.uint32(id(random)).uint32(random(3) === 0 ? 0xffffffff : random(5000)),
  ],
  [message.channelData, (body, random) => body.uint32(id(random)).string(bytes(random))],
  [message.channelExtendedData, (body, random) => body.uint32(id(random)).uint32(1).string(bytes(random))],
  [message.channelEof, (body, random) => body.uint32(id(random))],
  [message.channelClose, (body, random) => body.uint32(id(random))],
  ...[
    'exec',
    'shell',
    'env',
    'subsystem',
    'signal',
    'exit-status',
    'exit-signal',
    'window-change',
    'eow@openssh.com',
  ].map((name): [number, Kind] => [
    message.channelRequest,
    (body, random) =>
      body
        .uint32(id(random))
        .string(name)
        .boolean(random(2) === 0)
        .string('x')
        .string('y'),
  ]),
  [message.channelSuccess, (body, random) => body.uint32(id(random))],
  [message.channelFailure, (body, random) => body.uint32(id(random))],
  [message.ping, (body, random) => body.string(bytes(random))],
  [message.pong, (body) => body.string('')],
]

/** One of all messages, or, seldom, one nobody knows. */
export function anyMessage(random: Random): Buffer {
  if (random(30) === 0) return Buffer.concat([Buffer.from([random(256)]), bytes(random)])
  const [number, kind] = kinds[random(kinds.length)] ?? [message.ignore, none]
  return kind(new Writer().byte(number), random).finish()
}
