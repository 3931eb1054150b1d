import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthMethod } from '../auth/client-auth.ts'
import type { Client } from '../client.ts'
import { parsePrivateKey } from '../keys/private-key.ts'
import { logIn } from '../testing/log-in.ts'
import { startSshd, type TestSshd } from '../testing/sshd.ts'
import { fileTypes } from './attributes.ts'
import { extensionNames } from './extensions.ts'
import { SftpClient } from './client.ts'
import { SftpStatusError } from './errors.ts'
import { openFlags } from './requests.ts'

let sshd: TestSshd
let client: Client
let home: string

beforeAll(async () => {
  sshd = await startSshd()
  const { port, username, privateKey } = sshd
  const methods: AuthMethod[] = [{ method: 'publickey', key: parsePrivateKey(privateKey) }]
  client = await logIn({ port, username, methods })
  const sftp = await internalSftp()
  home = (await sftp.realpath('.')).toString()
})
afterAll(async () => {
  client.destroy()
  await sshd.stop()
})

async function internalSftp(): Promise<SftpClient> {
  const session = await client.openSession()
  await session.subsystem('sftp')
  return await SftpClient.open(session, { replyMs: 20_000 })
}

async function sftpServer(): Promise<SftpClient> {
  const session = await client.openSession()
  await session.exec('/usr/lib/openssh/sftp-server')
  return await SftpClient.open(session, { replyMs: 20_000 })
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const at = (name: string) => join(home, name)

async function allOf(sftp: SftpClient, path: Buffer | string): Promise<string[]> {
  const names: string[] = []
  for await (const { filename } of sftp.list(path)) names.push(filename.toString('latin1'))
  return names.sort()
}

test.each([
  ['internal-sftp', internalSftp],
  ['sftp-server', sftpServer],
])('100 MB go to %s and come back unharmed', async (name, open) => {
  const sftp = await open()
  const data = randomBytes(100_000_000)
  const up = performance.now()
  const file = sftp.createWriteStream(name)
  file.end(data)
  await once(file, 'close')
  const down = performance.now()
  expect(digest(await readFile(at(name)))).toBe(digest(data))
  const read = performance.now()
  expect(digest(await buffer(sftp.createReadStream(name)))).toBe(digest(data))
  const end = performance.now()
  if (process.env['SFTP_SPEED']) process.stderr.write(`${name} up ${down - up} down ${end - read}\n`)
  sftp.end()
  expect(await sftp.closed).toBeUndefined()
})

/** A folder of one test, which the account may write to. */
async function folder(name: string): Promise<string> {
  await mkdir(at(name))
  await chmod(at(name), 0o777)
  return name
}

test('what the server has beyond the standard is known, and used for larger requests', async () => {
  const sftp = await internalSftp()
  expect([...sftp.extensions].sort()).toEqual(Object.keys(extensionNames).sort())
  expect([sftp.maxReadBytes, sftp.maxWriteBytes]).toEqual([261_120, 261_120])
  sftp.end()
})

test('directories are made, listed, moved and removed', async () => {
  const sftp = await internalSftp()
  const here = await folder('directories')
  await sftp.mkdir(`${here}/one`, { permissions: 0o700 })
  await pipeline([Buffer.from('text')], sftp.createWriteStream(`${here}/one/file`))
  expect(((await sftp.stat(`${here}/one`)).permissions ?? 0) & fileTypes.mask).toBe(fileTypes.directory)
  await sftp.rename(`${here}/one`, `${here}/two`)
  expect(await allOf(sftp, here)).toEqual(['two'])
  await expect(sftp.rmdir(`${here}/two`)).rejects.toMatchObject({ status: 'failure', said: 'Failure' })
  await sftp.remove(`${here}/two/file`)
  await sftp.rmdir(`${here}/two`)
  expect(await allOf(sftp, here)).toEqual([])
  sftp.end()
})

test('each way to fail has its status', async () => {
  const sftp = await internalSftp()
  const error: unknown = await sftp.stat('nothing').catch((error: unknown) => error)
  expect(error).toBeInstanceOf(SftpStatusError)
  expect(error).toMatchObject({ status: 'noSuchFile', message: 'No such file', said: 'No such file' })
  await expect(sftp.opendir('/root')).rejects.toMatchObject({ status: 'permissionDenied' })
  await expect(buffer(sftp.createReadStream('nothing'))).rejects.toMatchObject({ status: 'noSuchFile' })
  const write = pipeline([Buffer.from('data')], sftp.createWriteStream('/etc/nobody-may'))
  await expect(write).rejects.toMatchObject({ status: 'permissionDenied' })
  await expect(sftp.read(Buffer.from('none'), 0n, 10)).rejects.toBeInstanceOf(SftpStatusError)
  sftp.end()
})

test('links, rights, times and sizes are set and seen', async () => {
  const sftp = await internalSftp()
  const here = await folder('links')
  await pipeline([Buffer.from('0123456789')], sftp.createWriteStream(`${here}/file`))
  await sftp.symlink('file', `${here}/soft`)
  await sftp.hardlink(`${here}/file`, `${here}/hard`)
  expect((await sftp.readlink(`${here}/soft`)).toString()).toBe('file')
  expect(((await sftp.lstat(`${here}/soft`)).permissions ?? 0) & fileTypes.mask).toBe(fileTypes.link)
  const times = { accessed: 1_000_000_000, modified: 1_100_000_000 }
  await sftp.setstat(`${here}/soft`, { permissions: 0o640, times, size: 4n })
  expect(await sftp.stat(`${here}/hard`)).toMatchObject({ size: 4n, permissions: 0o100640, times })
  await sftp.lsetstat(`${here}/soft`, { times })
  expect((await sftp.lstat(`${here}/soft`)).times).toEqual(times)
  await expect(sftp.rename(`${here}/hard`, `${here}/soft`)).rejects.toMatchObject({ status: 'failure' })
  await sftp.posixRename(`${here}/hard`, `${here}/soft`)
  expect(await allOf(sftp, here)).toEqual(['file', 'soft'])
  sftp.end()
})

test('the other extensions of OpenSSH answer what they should', async () => {
  const sftp = await internalSftp()
  const here = await folder('extensions')
  await pipeline([Buffer.from('0123456789')], sftp.createWriteStream(`${here}/from`))
  const from = await sftp.open(`${here}/from`, openFlags.read)
  const to = await sftp.open(`${here}/to`, openFlags.write | openFlags.create)
  await sftp.copyData(from, 2n, 5n, to, 1n)
  await sftp.fsync(to)
  expect(await sftp.fstat(to)).toMatchObject({ size: 6n })
  const left = await sftp.statvfs(here)
  expect(left.blocks).toBeGreaterThan(left.freeBlocks)
  expect(await sftp.fstatvfs(to)).toMatchObject({ blocks: left.blocks, maxNameBytes: left.maxNameBytes })
  await Promise.all([sftp.close(from), sftp.close(to)])
  expect(await readFile(at(`${here}/to`), 'latin1')).toBe('\u000023456')
  expect((await sftp.expandPath('~/x')).toString()).toBe(`${home}/x`)
  expect((await sftp.homeDirectory(sshd.username)).toString()).toBe(home)
  const { users, groups } = await sftp.usersGroupsById([0, 4_000_000], [0])
  expect([users.map(String), groups.map(String)]).toEqual([['root', ''], ['root']])
  sftp.end()
})

test('a directory of 10,000 files with long names is listed whole', async () => {
  const sftp = await internalSftp()
  const here = await folder('large')
  const names = Array.from({ length: 10_000 }, (_, index) => `${'n'.repeat(100)}${index}`)
  for (const name of names) await writeFile(at(`${here}/${name}`), '')
  expect(await allOf(sftp, here)).toEqual(names.sort())
  sftp.end()
})

test('names that are no UTF-8 keep their bytes', async () => {
  const sftp = await internalSftp()
  const here = await folder('bytes')
  const name = Buffer.concat([Buffer.from(`${here}/`), Buffer.from([0x66, 0xfc, 0xff, 0xc3])])
  await pipeline([Buffer.from('text')], sftp.createWriteStream(name))
  expect(await allOf(sftp, here)).toEqual(['f\u00fc\u00ff\u00c3'])
  expect((await buffer(sftp.createReadStream(name))).toString()).toBe('text')
  expect((await sftp.realpath(name)).subarray(-4)).toEqual(name.subarray(-4))
  sftp.end()
})

test('a transfer goes on where it was broken off, and tiny reads and writes make a whole file', async () => {
  const sftp = await internalSftp()
  const here = await folder('parts')
  const data = randomBytes(1_000_000)
  await pipeline([data.subarray(0, 300_001)], sftp.createWriteStream(`${here}/file`))
  const rest = sftp.createWriteStream(`${here}/file`, { start: 300_001n })
  for (let at = 300_001; at < data.length; at += 997) rest.write(data.subarray(at, at + 997))
  rest.end()
  await once(rest, 'close')
  expect(digest(await buffer(sftp.createReadStream(`${here}/file`, 12_345n)))).toBe(
    digest(data.subarray(12_345)),
  )
  const file = await sftp.open(`${here}/file`, openFlags.read)
  const reads = Array.from({ length: 2000 }, (_, index) => sftp.read(file, BigInt(index * 7), 7))
  const parts = (await Promise.all(reads)).map((part) => part ?? Buffer.alloc(0))
  expect(Buffer.concat(parts)).toEqual(data.subarray(0, 14_000))
  expect(await sftp.read(file, 1_000_000n, 1)).toBeUndefined()
  expect(await buffer(sftp.createReadStream('/proc/self/status'))).not.toHaveLength(0)
  sftp.end()
})

test('a reader that stops early closes the file, and one that does not read gets nothing', async () => {
  const sftp = await internalSftp()
  await pipeline([randomBytes(20_000_000)], sftp.createWriteStream('long'))
  const stream = sftp.createReadStream('long')
  await once(stream, 'readable')
  expect(stream.readableLength).toBeLessThan(1_000_000)
  stream.destroy()
  await once(stream, 'close')
  sftp.end()
  expect(await sftp.closed).toBeUndefined()
})

test('what is under way when nobody needs it any more ends with that', async () => {
  const sftp = await internalSftp()
  const file = await sftp.open('long', openFlags.read)
  const reads = Array.from({ length: 100 }, () => sftp.read(file, 0n, 200_000))
  sftp.destroy()
  const results = await Promise.allSettled(reads)
  const lost = results.filter(({ status }) => status === 'rejected')
  expect(lost.length).toBeGreaterThan(0)
  for (const result of lost) expect(result).toMatchObject({ reason: { reason: 'byApplication' } })
  await expect(sftp.stat('long')).rejects.toMatchObject({ reason: 'byApplication' })
})
