import type { Duplex, Readable, Writable } from 'node:stream'
import { MalformedError, SshError } from '../wire/errors.ts'
import {
  limitsForm,
  parseReply,
  statvfsForm,
  usersGroupsForm,
  type SftpAnswer,
  type SftpLimits,
  type SftpName,
  type SftpStatvfs,
  type SftpUsersGroups,
} from './answers.ts'
import type { SftpAttributes } from './attributes.ts'
import { SftpStatusError } from './errors.ts'
import { extensionNames, extensionVersions, type SftpExtension } from './extensions.ts'
import type { Fields, Values } from './fields.ts'
import { maxPacketBytes } from './fields.ts'
import type { SftpFiles } from './files.ts'
import { SftpReadStream, SftpWriteStream, type SftpWriteOptions } from './file-streams.ts'
import type { SftpRequest } from './requests.ts'
import { SftpRequester } from './requester.ts'

/** Every server takes packets of 34,000 bytes (draft-ietf-secsh-filexfer-02, 3). */
const defaultDataBytes = 32_768
const maxDataBytes = maxPacketBytes - 1024

export interface SftpClientOptions {
  /** How long the peer may take for any answer, from when the stream took the request. The peer is given up where it takes longer. */
  replyMs: number
}

/**
 * Works with the files of the peer. A path is bytes, or text for its UTF-8. Methods reject with an `SftpStatusError` where the peer did
 * not do it, and with an `SshError` where nothing more can be asked. Requests go out at once, up to a bound, and need not be waited for
 * before the next.
 */
export class SftpClient implements SftpFiles<Buffer> {
  /** Settles once, with what went wrong where something did; never rejects. */
  readonly closed: Promise<SshError | undefined>
  readonly #requester: SftpRequester
  /** What the peer has beyond the standard; methods for others reject with `unsupported`. */
  readonly extensions: ReadonlySet<SftpExtension>
  /** Of one request, as the peer says it. */
  readonly maxReadBytes: number
  readonly maxWriteBytes: number

  private constructor(requester: SftpRequester, extensions: ReadonlySet<SftpExtension>, limits?: SftpLimits) {
    this.#requester = requester
    this.closed = requester.closed
    this.extensions = extensions
    this.maxReadBytes = dataBytes(limits?.readBytes)
    this.maxWriteBytes = dataBytes(limits?.writeBytes)
  }

  /** The stream is the client's from then on. Rejects with the `SshError` that ended it. */
  static async open(stream: Duplex, { replyMs }: SftpClientOptions): Promise<SftpClient> {
    const requester = new SftpRequester(stream, replyMs)
    const offered = await requester.begin()
    const known = (Object.keys(extensionNames) as SftpExtension[]).filter(
      (name) => offered.get(extensionNames[name])?.toString('latin1') === extensionVersions[name],
    )
    const client = new SftpClient(requester, new Set(known))
    if (!client.extensions.has('limits')) return client
    try {
      const limits = await client.#reply(limitsForm, { kind: 'limits' })
      return new SftpClient(requester, client.extensions, limits)
    } catch (error) {
      client.destroy()
      throw error
    }
  }

  /** What was asked is answered still, then it is over. */
  end(): void {
    this.#requester.finish()
  }

  /** Ends at once. */
  destroy(): void {
    this.#requester.fail(new SshError('byApplication', 'Nobody needs the files any more'))
  }

  /** Reads a file from `start` to its end, many requests at a time as long as it is read. */
  createReadStream(path: Buffer | string, start = 0n): Readable {
    return new SftpReadStream(this, bytesOf(path), start)
  }

  /** Writes a file, many requests at a time. Done when everything is written and the file is closed. */
  createWriteStream(path: Buffer | string, options: SftpWriteOptions = {}): Writable {
    return new SftpWriteStream(this, bytesOf(path), options)
  }

  /** All of a directory but itself and the one above it, as the peer orders it. */
  async *list(path: Buffer | string): AsyncGenerator<SftpName> {
    const handle = await this.opendir(path)
    try {
      for (let names = await this.readdir(handle); names; names = await this.readdir(handle)) {
        for (const name of names) if (!isDots(name.filename)) yield name
      }
    } finally {
      await this.close(handle)
    }
  }

  async open(path: Buffer | string, flags: number, attributes: SftpAttributes = {}): Promise<Buffer> {
    return await this.#handle({ kind: 'open', path: bytesOf(path), flags, attributes })
  }

  async opendir(path: Buffer | string): Promise<Buffer> {
    return await this.#handle({ kind: 'opendir', path: bytesOf(path) })
  }

  async close(handle: Buffer): Promise<void> {
    await this.#done({ kind: 'close', handle })
  }

  async read(handle: Buffer, offset: bigint, length: number): Promise<Buffer | undefined> {
    const bytes = Math.min(length, this.maxReadBytes)
    const answer = await this.#ask({ kind: 'read', handle, offset, length: bytes }, bytes)
    if (isEnd(answer)) return undefined
    if (answer.kind !== 'data' || answer.data.length > bytes) throw this.#wrong(answer)
    return answer.data
  }

  /** In as many requests as the peer needs. */
  async write(handle: Buffer, offset: bigint, data: Buffer): Promise<void> {
    const writes: Promise<void>[] = []
    for (let from = 0; from < data.length || from === 0; from += this.maxWriteBytes) {
      const part = data.subarray(from, from + this.maxWriteBytes)
      writes.push(this.#done({ kind: 'write', handle, offset: offset + BigInt(from), data: part }))
    }
    await Promise.all(writes)
  }

  async readdir(handle: Buffer): Promise<SftpName[] | undefined> {
    const answer = await this.#ask({ kind: 'readdir', handle })
    if (isEnd(answer)) return undefined
    if (answer.kind !== 'name') throw this.#wrong(answer)
    return answer.names
  }

  async fstat(handle: Buffer): Promise<SftpAttributes> {
    return await this.#attributes({ kind: 'fstat', handle })
  }

  async fsetstat(handle: Buffer, attributes: SftpAttributes): Promise<void> {
    await this.#done({ kind: 'fsetstat', handle, attributes })
  }

  async lstat(path: Buffer | string): Promise<SftpAttributes> {
    return await this.#attributes({ kind: 'lstat', path: bytesOf(path) })
  }

  async stat(path: Buffer | string): Promise<SftpAttributes> {
    return await this.#attributes({ kind: 'stat', path: bytesOf(path) })
  }

  async setstat(path: Buffer | string, attributes: SftpAttributes): Promise<void> {
    await this.#done({ kind: 'setstat', path: bytesOf(path), attributes })
  }

  async remove(path: Buffer | string): Promise<void> {
    await this.#done({ kind: 'remove', path: bytesOf(path) })
  }

  async mkdir(path: Buffer | string, attributes: SftpAttributes = {}): Promise<void> {
    await this.#done({ kind: 'mkdir', path: bytesOf(path), attributes })
  }

  async rmdir(path: Buffer | string): Promise<void> {
    await this.#done({ kind: 'rmdir', path: bytesOf(path) })
  }

  async realpath(path: Buffer | string): Promise<Buffer> {
    return await this.#path({ kind: 'realpath', path: bytesOf(path) })
  }

  async readlink(path: Buffer | string): Promise<Buffer> {
    return await this.#path({ kind: 'readlink', path: bytesOf(path) })
  }

  async symlink(target: Buffer | string, link: Buffer | string): Promise<void> {
    await this.#done({ kind: 'symlink', target: bytesOf(target), link: bytesOf(link) })
  }

  async rename(from: Buffer | string, to: Buffer | string): Promise<void> {
    await this.#done({ kind: 'rename', from: bytesOf(from), to: bytesOf(to) })
  }

  async posixRename(from: Buffer | string, to: Buffer | string): Promise<void> {
    await this.#done({ kind: 'posixRename', from: bytesOf(from), to: bytesOf(to) })
  }

  async hardlink(from: Buffer | string, to: Buffer | string): Promise<void> {
    await this.#done({ kind: 'hardlink', from: bytesOf(from), to: bytesOf(to) })
  }

  async statvfs(path: Buffer | string): Promise<SftpStatvfs> {
    return await this.#reply(statvfsForm, { kind: 'statvfs', path: bytesOf(path) })
  }

  async fstatvfs(handle: Buffer): Promise<SftpStatvfs> {
    return await this.#reply(statvfsForm, { kind: 'fstatvfs', handle })
  }

  async fsync(handle: Buffer): Promise<void> {
    await this.#done({ kind: 'fsync', handle })
  }

  async lsetstat(path: Buffer | string, attributes: SftpAttributes): Promise<void> {
    await this.#done({ kind: 'lsetstat', path: bytesOf(path), attributes })
  }

  async expandPath(path: Buffer | string): Promise<Buffer> {
    return await this.#path({ kind: 'expandPath', path: bytesOf(path) })
  }

  /** All of it has to be done within `replyMs`: large files are copied in parts. */
  async copyData(from: Buffer, fromOffset: bigint, length: bigint, to: Buffer, toOffset: bigint) {
    await this.#done({ kind: 'copyData', from, fromOffset, length, to, toOffset })
  }

  async homeDirectory(username: Buffer | string): Promise<Buffer> {
    return await this.#path({ kind: 'homeDirectory', username: bytesOf(username) })
  }

  async usersGroupsById(uids: number[], gids: number[]): Promise<SftpUsersGroups> {
    return await this.#reply(usersGroupsForm, { kind: 'usersGroupsById', uids, gids })
  }

  /** Rejects with the status where it is neither `ok` nor the end of something. */
  async #ask(request: SftpRequest, answerBytes?: number): Promise<SftpAnswer> {
    if (request.kind in extensionNames && !this.extensions.has(request.kind as SftpExtension)) {
      throw new SftpStatusError('unsupported')
    }
    const answer = await this.#requester.ask(request, answerBytes)
    if (answer.kind === 'status' && answer.status !== 'ok' && answer.status !== 'endOfFile') {
      throw statusError(answer)
    }
    return answer
  }

  async #done(request: SftpRequest): Promise<void> {
    const answer = await this.#ask(request)
    if (answer.kind !== 'status' || answer.status !== 'ok') throw this.#wrong(answer)
  }

  async #handle(request: SftpRequest): Promise<Buffer> {
    const answer = await this.#ask(request)
    if (answer.kind !== 'handle') throw this.#wrong(answer)
    // Kept for long, and the packet it came in may lie within much more.
    return Buffer.from(answer.handle)
  }

  async #attributes(request: SftpRequest): Promise<SftpAttributes> {
    const answer = await this.#ask(request)
    if (answer.kind !== 'attributes') throw this.#wrong(answer)
    return answer.attributes
  }

  async #path(request: SftpRequest): Promise<Buffer> {
    const answer = await this.#ask(request)
    const [name, more] = answer.kind === 'name' ? answer.names : []
    if (!name || more) throw this.#wrong(answer)
    return Buffer.from(name.filename)
  }

  async #reply<Of extends Fields>(form: Of, request: SftpRequest): Promise<Values<Of>> {
    const answer = await this.#ask(request)
    if (answer.kind !== 'extended') throw this.#wrong(answer)
    try {
      return parseReply(form, answer.body)
    } catch (error) {
      if (error instanceof SshError) this.#requester.fail(error)
      throw error
    }
  }

  /** An end where there is none is a failure; an answer to something else ends everything. */
  #wrong(answer: SftpAnswer): Error {
    if (answer.kind === 'status' && answer.status !== 'ok') return statusError(answer)
    const error = new MalformedError('An answer to something else')
    this.#requester.fail(error)
    return error
  }
}

function statusError(answer: Extract<SftpAnswer, { kind: 'status' }>): SftpStatusError {
  return new SftpStatusError(answer.status, undefined, { said: answer.text })
}

function isEnd(answer: SftpAnswer): boolean {
  return answer.kind === 'status' && answer.status === 'endOfFile'
}

function isDots(name: Buffer): boolean {
  return name.equals(Buffer.from('.')) || name.equals(Buffer.from('..'))
}

function bytesOf(path: Buffer | string): Buffer {
  return typeof path === 'string' ? Buffer.from(path) : path
}

function dataBytes(limit: bigint | undefined): number {
  if (!limit) return defaultDataBytes
  return limit < BigInt(maxDataBytes) ? Number(limit) : maxDataBytes
}
