import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MalformedError, SshError, TimeoutError } from '../wire/errors.ts'
import { Folder } from '../testing/folder.ts'
import { mutate, numbers } from '../testing/mutate.ts'
import { parseAnswer, statusAnswer, writeAnswer, writeVersion, type SftpAnswer } from './answers.ts'
import { SftpClient } from './client.ts'
import { SftpStatusError } from './errors.ts'
import { extensionNames, type SftpExtension } from './extensions.ts'
import type { SftpFiles } from './files.ts'
import { openFlags, parseRequest, writeInitRequest, writeRequest, type SftpRequest } from './requests.ts'
import { serveSftp } from './server.ts'
import { streamPair } from '../testing/stream-pair.ts'

const extensions = Object.keys(extensionNames) as SftpExtension[]
const hello = { version: 3, extensions: new Map<string, Buffer>() }

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sftp-hostile-'))
  await writeFile(join(root, 'file'), Buffer.alloc(100_000))
})
afterAll(async () => {
  await rm(root, { recursive: true, force: true })
})

/** Two streams: what one is written, the other reads. */
function streams(): [Duplex, Duplex] {
  const [one, other] = streamPair()
  for (const stream of [one, other]) stream.on('error', () => {})
  return [one, other]
}

/** Whole packets without their lengths, as they come. */
function packetsOf(stream: Duplex): Buffer[] {
  const packets: Buffer[] = []
  let bytes = Buffer.alloc(0)
  stream.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0)) {
      const end = 4 + bytes.readUInt32BE(0)
      packets.push(bytes.subarray(4, end))
      bytes = bytes.subarray(end)
    }
  })
  return packets
}

interface Served {
  peer: Duplex
  stream: Duplex
  ended: Promise<SshError | undefined>
  files: Folder
}

function served(files = new Folder(root)): Served {
  const [peer, stream] = streams()
  const ended = serveSftp(stream, { files, extensions, maxHandles: 16 })
  return { peer, stream, ended, files }
}

/** A server of the test's own: it says hello, and then what `answer` gives to each request. */
function clientOf(answer: (id: number, request: SftpRequest | undefined) => Buffer[]): Promise<SftpClient> {
  const [stream, peer] = streams()
  let isBegun = false
  const seen = packetsOf(peer)
  peer.on('data', () => {
    for (const packet of seen.splice(0)) {
      if (isBegun) {
        const { id, request } = parseRequest(packet)
        for (const bytes of answer(id, request)) peer.write(bytes)
      } else peer.write(writeVersion(hello))
      isBegun = true
    }
  })
  return SftpClient.open(stream, { replyMs: 2000 })
}

const path = Buffer.from('file')
const unknown = Buffer.from('none')
const session: SftpRequest[] = [
  { kind: 'realpath', path: Buffer.from('.') },
  { kind: 'open', path, flags: openFlags.read, attributes: {} },
  { kind: 'read', handle: Buffer.alloc(4), offset: 0n, length: 100 },
  { kind: 'fstat', handle: Buffer.alloc(4) },
  { kind: 'opendir', path: Buffer.from('.') },
  { kind: 'readdir', handle: Buffer.from([0, 0, 0, 1]) },
  { kind: 'stat', path },
  { kind: 'usersGroupsById', uids: [0], gids: [0] },
  { kind: 'limits' },
  { kind: 'close', handle: Buffer.alloc(4) },
]
const spoken = Buffer.concat([
  writeInitRequest(hello),
  ...session.map((request, id) => writeRequest(id, request)),
])

test('a client that is cut off at any byte leaves nothing open', async () => {
  for (let length = 0; length <= spoken.length; length++) {
    const { peer, ended, files } = served()
    peer.resume()
    peer.end(spoken.subarray(0, length))
    const error = await ended
    expect([undefined, 'MalformedError']).toContain(error?.name)
    expect(files.openCount).toBe(0)
  }
})

test('bytes that come one by one are the same packets', async () => {
  const { peer, ended } = served()
  const answers = packetsOf(peer)
  for (const byte of spoken) peer.write(Buffer.from([byte]))
  await expect.poll(() => answers.length).toBe(session.length + 1)
  const ids = answers.slice(1).map((packet) => parseAnswer(packet).id)
  expect(ids.sort((one, other) => one - other)).toEqual(session.map((_, id) => id))
  peer.end()
  expect(await ended).toBeUndefined()
})

test('a client that changes what it says in any way meets the declared errors only', async () => {
  const random = numbers(42)
  // What only looks, so that no changed path harms the machine.
  const looking = readOnly(new Folder(root))
  for (let round = 0; round < 300; round++) {
    const [peer, stream] = streams()
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const ended = serveSftp(stream, { files: looking, extensions, maxHandles: 16, onError })
    peer.resume()
    peer.end(mutate(spoken, random))
    const error = await ended
    if (error) expect(error).toBeInstanceOf(SshError)
    for (const seen of errors) expect(seen).toHaveProperty('code')
  }
})

function readOnly(folder: Folder): SftpFiles<unknown> {
  const refuse = () => Promise.reject(new SftpStatusError('permissionDenied'))
  const changing = [
    'write',
    'setstat',
    'fsetstat',
    'lsetstat',
    'remove',
    'mkdir',
    'rmdir',
    'symlink',
    'rename',
    'posixRename',
    'hardlink',
    'copyData',
    'fsync',
  ]
  return new Proxy(folder, {
    get(target, name) {
      if (changing.includes(String(name))) return refuse
      if (name === 'open') return (path: Buffer) => target.open(path, openFlags.read, {})
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('lengths of nothing and of too much end the conversation', async () => {
  for (const length of [0, 256 * 1024 + 1, 0xffffffff]) {
    const { peer, ended } = served()
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(length)
    peer.write(bytes)
    expect(await ended).toBeInstanceOf(MalformedError)
  }
})

test('handles nobody has given, closed ones, and more than allowed are refused, and the client can go on', async () => {
  const { peer, ended, files } = served()
  const [stream] = [peer]
  const client = await SftpClient.open(stream, { replyMs: 20_000 })
  for (const handle of [unknown, Buffer.alloc(0), Buffer.alloc(256)]) {
    await expect(client.read(handle, 0n, 1)).rejects.toMatchObject({
      status: 'failure',
      said: 'The handle is not known',
    })
  }
  const file = await client.open(path, openFlags.read)
  const [closed, late] = [client.close(file), client.read(file, 0n, 1)]
  await expect(late).rejects.toMatchObject({ status: 'failure' })
  await closed
  await expect(client.close(file)).rejects.toMatchObject({ status: 'failure' })
  const many = await Promise.allSettled(Array.from({ length: 20 }, () => client.open(path, openFlags.read)))
  expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(16)
  expect(files.openCount).toBe(16)
  client.end()
  expect(await ended).toBeUndefined()
  expect(files.openCount).toBe(0)
})

test('the same id twice gets two answers', async () => {
  const { peer, ended } = served()
  const answers = packetsOf(peer)
  peer.write(writeInitRequest(hello))
  for (let count = 0; count < 2; count++) peer.write(writeRequest(5, { kind: 'stat', path }))
  await expect.poll(() => answers.length).toBe(3)
  expect(answers.slice(1).map((packet) => parseAnswer(packet).id)).toEqual([5, 5])
  peer.end()
  await ended
})

test('who asks without end and does not read is not listened to', async () => {
  const { peer, stream, ended, files } = served()
  let reads = 0
  const read = files.read.bind(files)
  files.read = async (...args) => {
    reads++
    return await read(...args)
  }
  const open: SftpRequest = { kind: 'open', path, flags: openFlags.read, attributes: {} }
  peer.write(Buffer.concat([writeInitRequest(hello), writeRequest(0, open)]))
  const ask = writeRequest(1, { kind: 'read', handle: Buffer.alloc(4), offset: 0n, length: 100_000 })
  await expect.poll(() => files.openCount).toBe(1)
  let taken = 0
  while (taken < 100_000 && peer.write(ask)) taken++
  for (let count = 0; count < 10_000; count++) peer.write(ask)
  await expect.poll(() => reads).toBeGreaterThan(10)
  let seen = -1
  await expect.poll(() => seen === (seen = reads), { interval: 200 }).toBe(true)
  expect(reads).toBeLessThan(60)
  stream.destroy()
  await ended
  expect(files.openCount).toBe(0)
})

test('writes, then the close of a file, have their effects in order however long each takes', async () => {
  const seen: string[] = []
  const { peer, ended, files } = served()
  files.write = async (_open, offset) => {
    for (let turns = 0; turns < (offset === 0n ? 50 : 1); turns++) await new Promise(setImmediate)
    seen.push(`write ${offset}`)
  }
  const close = files.close.bind(files)
  files.close = async (open) => {
    seen.push('close')
    await close(open)
  }
  const client = await SftpClient.open(peer, { replyMs: 20_000 })
  const file = await client.open(path, openFlags.read | openFlags.write)
  await Promise.all([
    client.write(file, 0n, Buffer.from('a')),
    client.write(file, 1n, Buffer.from('b')),
    client.close(file),
  ])
  expect(seen).toEqual(['write 1', 'write 0', 'close'])
  client.end()
  await ended
})

test('an error of the application is a failure without its words, and the application hears of it', async () => {
  const [peer, stream] = streams()
  const files = new Folder(root)
  files.stat = () => {
    throw new Error('a secret')
  }
  const heard: unknown[] = []
  const ended = serveSftp(stream, {
    files,
    extensions,
    maxHandles: 16,
    onError: (error) => heard.push(error),
  })
  const client = await SftpClient.open(peer, { replyMs: 20_000 })
  await expect(client.stat('file')).rejects.toMatchObject({ status: 'failure', said: 'Failure' })
  expect(heard).toMatchObject([{ message: 'a secret' }])
  client.end()
  await ended
})

test('a client given to a server relays, and what is refused on the way never reaches the target', async () => {
  const target = served()
  const client = await SftpClient.open(target.peer, { replyMs: 20_000 })
  const [person, stream] = streams()
  const paths: string[] = []
  const files: SftpFiles<Buffer> = new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (name === 'remove') return () => Promise.reject(new SftpStatusError('permissionDenied', 'Not you'))
      if (name === 'stat') {
        return async (path: Buffer) => {
          paths.push(path.toString())
          return await client.stat(path)
        }
      }
      return typeof method === 'function' ? method.bind(target) : method
    },
  })
  const relayed = serveSftp(stream, { files, extensions: [...client.extensions], maxHandles: 16 })
  const sftp = await SftpClient.open(person, { replyMs: 20_000 })
  expect([...sftp.extensions].sort()).toEqual([...extensions].sort())
  expect((await sftp.stat('file')).size).toBe(100_000n)
  expect(paths).toEqual(['file'])
  let bytes = 0
  for await (const chunk of sftp.createReadStream('file')) bytes += (chunk as Buffer).length
  expect(bytes).toBe(100_000)
  await expect(sftp.remove('file')).rejects.toMatchObject({ status: 'permissionDenied', said: 'Not you' })
  await expect(sftp.stat('nothing')).rejects.toMatchObject({ status: 'noSuchFile' })
  sftp.end()
  await relayed
  client.end()
  await target.ended
  expect(target.files.openCount).toBe(0)
})

test.each<[string, (id: number) => Buffer[]]>([
  ['to an id nobody has', (id) => [writeAnswer(id + 1, statusAnswer('ok'))]],
  ['twice', (id) => [writeAnswer(id, statusAnswer('ok')), writeAnswer(id, statusAnswer('ok'))]],
  ['of another kind', (id) => [writeAnswer(id, { kind: 'handle', handle: unknown })]],
  ['of no kind', () => [Buffer.from('000000057700000000', 'hex')]],
  ['without an id', () => [Buffer.from('0000000165', 'hex')]],
  ['that is too long', () => [Buffer.from('ffffffff', 'hex')]],
])('an answer %s ends everything', async (_name, answer) => {
  const client = await clientOf(answer)
  await client.rmdir('x').catch((error: unknown) => expect(error).toBeInstanceOf(MalformedError))
  expect(await client.closed).toBeInstanceOf(MalformedError)
  await expect(client.stat('file')).rejects.toBeInstanceOf(MalformedError)
})

test('more data than was asked for, and two paths for one, are refused', async () => {
  const data: SftpAnswer = { kind: 'data', data: Buffer.alloc(11) }
  const client = await clientOf((id) => [writeAnswer(id, data)])
  await expect(client.read(unknown, 0n, 10)).rejects.toBeInstanceOf(MalformedError)
  const names: SftpAnswer = {
    kind: 'name',
    names: [path, unknown].map((filename) => ({ filename, longname: filename, attributes: {} })),
  }
  const other = await clientOf((id) => [writeAnswer(id, names)])
  await expect(other.realpath('.')).rejects.toBeInstanceOf(MalformedError)
})

test('a server that never answers, or answers all but one, is given up', async () => {
  const silent = await clientOf(() => [])
  await expect(silent.stat('x')).rejects.toBeInstanceOf(TimeoutError)
  const busy = await clientOf((id) => (id === 0 ? [] : [writeAnswer(id, statusAnswer('ok'))]))
  const never = busy.rmdir('x').catch((error: unknown) => error)
  const others = async () => {
    for (;;) {
      await busy.rmdir('y')
      // Timers have their turn only where the loop goes round.
      await new Promise(setImmediate)
    }
  }
  await expect(others()).rejects.toBeInstanceOf(TimeoutError)
  expect(await never).toBeInstanceOf(TimeoutError)
  const [stream] = streams()
  await expect(SftpClient.open(stream, { replyMs: 100 })).rejects.toBeInstanceOf(TimeoutError)
})

test('a server that changes what it says in any way meets the declared errors only', async () => {
  const random = numbers(7)
  const right: Partial<Record<SftpRequest['kind'], SftpAnswer>> = {
    open: { kind: 'handle', handle: unknown },
    read: { kind: 'data', data: Buffer.alloc(10) },
    realpath: { kind: 'name', names: [{ filename: path, longname: path, attributes: { size: 1n } }] },
    stat: { kind: 'attributes', attributes: { size: 1n, permissions: 0o644 } },
  }
  for (let round = 0; round < 200; round++) {
    const [stream, peer] = streams()
    const seen = packetsOf(peer)
    peer.on('data', () => {
      for (const packet of seen.splice(0)) {
        if (packet[0] === 1) peer.write(writeVersion(hello))
        else {
          const { id, request } = parseRequest(packet)
          const answer = (request && right[request.kind]) ?? statusAnswer('ok')
          peer.write(mutate(writeAnswer(id, answer), random))
          if (request?.kind === 'close') peer.end()
        }
      }
    })
    const client = await SftpClient.open(stream, { replyMs: 20_000 })
    const asked = [
      client.realpath('.'),
      client.open('file', openFlags.read),
      client.stat('file'),
      client.read(unknown, 0n, 10),
      client.close(unknown),
    ]
    for (const result of await Promise.allSettled(asked)) {
      if (result.status === 'fulfilled') continue
      const error: unknown = result.reason
      expect(error instanceof SshError || error instanceof SftpStatusError).toBe(true)
    }
    client.destroy()
    peer.destroy()
  }
})
