import { constants, type BigIntStats } from 'node:fs'
import * as fs from 'node:fs/promises'
import type { SftpName, SftpStatvfs, SftpUsersGroups } from '../sftp/answers.ts'
import type { SftpAttributes } from '../sftp/attributes.ts'
import { SftpStatusError } from '../sftp/errors.ts'
import type { SftpFiles } from '../sftp/files.ts'
import { longName } from '../sftp/long-name.ts'
import { openFlags } from '../sftp/requests.ts'

export type OpenInFolder =
  /** `appended`: where the file is open to append, until what was written before is at its end. */
  | { kind: 'file'; file: fs.FileHandle; appended: Promise<void> | undefined }
  | { kind: 'directory'; path: Buffer; names: Buffer[] }

const namesAtOnce = 100
const copyBytes = 256 * 1024

/** @param position null: at the end */
async function writeAll(file: fs.FileHandle, data: Buffer, position: number | null): Promise<void> {
  let from = 0
  while (from < data.length) {
    const at = position === null ? null : position + from
    from += (await file.write(data, from, data.length - from, at)).bytesWritten
  }
}

/** A real folder: relative paths begin there, absolute ones are those of this machine. */
export class Folder implements SftpFiles<OpenInFolder> {
  readonly #root: Buffer
  /** Files and directories that are open now. */
  openCount = 0

  constructor(root: string) {
    this.#root = Buffer.from(root)
  }

  async open(path: Buffer, flags: number, attributes: SftpAttributes): Promise<OpenInFolder> {
    const file = await fs.open(this.#at(path), systemFlags(flags), attributes.permissions ?? 0o666)
    this.openCount++
    const appended = (flags & openFlags.append) === 0 ? undefined : Promise.resolve()
    return { kind: 'file', file, appended }
  }

  async opendir(path: Buffer): Promise<OpenInFolder> {
    const at = this.#at(path)
    const names = await fs.readdir(at, { encoding: 'buffer' })
    this.openCount++
    return { kind: 'directory', path: at, names: [Buffer.from('.'), Buffer.from('..'), ...names] }
  }

  async close(open: OpenInFolder): Promise<void> {
    this.openCount--
    if (open.kind === 'file') await open.file.close()
  }

  async read(open: OpenInFolder, offset: bigint, length: number): Promise<Buffer | undefined> {
    const { bytesRead, buffer } = await fileOf(open).read({
      buffer: Buffer.allocUnsafe(length),
      position: offset,
    })
    return bytesRead === 0 ? undefined : buffer.subarray(0, bytesRead)
  }

  async write(open: OpenInFolder, offset: bigint, data: Buffer): Promise<void> {
    const file = fileOf(open)
    if (open.kind !== 'file' || open.appended === undefined) return await writeAll(file, data, Number(offset))
    const written = open.appended.then(() => writeAll(file, data, null))
    open.appended = written.catch(() => {})
    await written
  }

  async readdir(open: OpenInFolder): Promise<SftpName[] | undefined> {
    if (open.kind !== 'directory') throw new SftpStatusError('failure')
    const names = open.names.splice(0, namesAtOnce)
    if (names.length === 0) return undefined
    return await Promise.all(names.map(async (name) => await this.#name(open.path, name)))
  }

  async fstat(open: OpenInFolder): Promise<SftpAttributes> {
    return attributesOf(await fileOf(open).stat({ bigint: true }))
  }

  async fsetstat(open: OpenInFolder, { size, permissions, owner, times }: SftpAttributes): Promise<void> {
    const file = fileOf(open)
    if (size !== undefined) await file.truncate(Number(size))
    if (permissions !== undefined) await file.chmod(permissions & 0o7777)
    if (times) await file.utimes(times.accessed, times.modified)
    if (owner) await file.chown(owner.uid, owner.gid)
  }

  async lstat(path: Buffer): Promise<SftpAttributes> {
    return attributesOf(await fs.lstat(this.#at(path), { bigint: true }))
  }

  async stat(path: Buffer): Promise<SftpAttributes> {
    return attributesOf(await fs.stat(this.#at(path), { bigint: true }))
  }

  async setstat(path: Buffer, { size, permissions, owner, times }: SftpAttributes): Promise<void> {
    const at = this.#at(path)
    if (size !== undefined) await fs.truncate(at, Number(size))
    if (permissions !== undefined) await fs.chmod(at, permissions & 0o7777)
    if (times) await fs.utimes(at, times.accessed, times.modified)
    if (owner) await fs.chown(at, owner.uid, owner.gid)
  }

  async lsetstat(path: Buffer, { owner, times }: SftpAttributes): Promise<void> {
    const at = this.#at(path)
    if (times) await fs.lutimes(at, times.accessed, times.modified)
    if (owner) await fs.lchown(at, owner.uid, owner.gid)
  }

  async remove(path: Buffer): Promise<void> {
    await fs.unlink(this.#at(path))
  }

  async mkdir(path: Buffer, { permissions }: SftpAttributes): Promise<void> {
    await fs.mkdir(this.#at(path), permissions ?? 0o777)
  }

  async rmdir(path: Buffer): Promise<void> {
    await fs.rmdir(this.#at(path))
  }

  /** The last part need not be there. */
  async realpath(path: Buffer): Promise<Buffer> {
    const at = this.#at(path)
    try {
      return await fs.realpath(at, { encoding: 'buffer' })
    } catch {
      return at
    }
  }

  async readlink(path: Buffer): Promise<Buffer> {
    return await fs.readlink(this.#at(path), { encoding: 'buffer' })
  }

  async symlink(target: Buffer, link: Buffer): Promise<void> {
    await fs.symlink(target, this.#at(link))
  }

  async rename(from: Buffer, to: Buffer): Promise<void> {
    const isThere = await fs.lstat(this.#at(to)).then(
      () => true,
      () => false,
    )
    if (isThere) throw new SftpStatusError('failure')
    await this.posixRename(from, to)
  }

  async posixRename(from: Buffer, to: Buffer): Promise<void> {
    await fs.rename(this.#at(from), this.#at(to))
  }

  async hardlink(from: Buffer, to: Buffer): Promise<void> {
    await fs.link(this.#at(from), this.#at(to))
  }

  async statvfs(path: Buffer): Promise<SftpStatvfs> {
    const left = await fs.statfs(this.#at(path), { bigint: true })
    return {
      blockBytes: left.bsize,
      fragmentBytes: left.bsize,
      blocks: left.blocks,
      freeBlocks: left.bfree,
      availableBlocks: left.bavail,
      files: left.files,
      freeFiles: left.ffree,
      availableFiles: left.ffree,
      id: 0n,
      flags: 0n,
      maxNameBytes: 255n,
    }
  }

  async fsync(open: OpenInFolder): Promise<void> {
    await fileOf(open).sync()
  }

  async expandPath(path: Buffer): Promise<Buffer> {
    const text = path.toString('latin1')
    if (text === '~' || text.startsWith('~/'))
      return await this.realpath(Buffer.from(text.slice(2), 'latin1'))
    return await this.realpath(path)
  }

  async homeDirectory(): Promise<Buffer> {
    return this.#root
  }

  async copyData(
    from: OpenInFolder,
    at: bigint,
    length: bigint,
    to: OpenInFolder,
    toAt: bigint,
  ): Promise<void> {
    let left = length === 0n ? await this.#sizeOf(from) : length
    for (let done = 0n; left > 0n;) {
      const data = await this.read(from, at + done, left < copyBytes ? Number(left) : copyBytes)
      if (!data) break
      await this.write(to, toAt + done, data)
      done += BigInt(data.length)
      left -= BigInt(data.length)
    }
  }

  async usersGroupsById(uids: number[], gids: number[]): Promise<SftpUsersGroups> {
    const name = (id: number) => Buffer.from(id === 0 ? 'root' : '')
    return { users: uids.map(name), groups: gids.map(name) }
  }

  async #sizeOf(open: OpenInFolder): Promise<bigint> {
    return (await fileOf(open).stat({ bigint: true })).size
  }

  async #name(directory: Buffer, filename: Buffer): Promise<SftpName> {
    const path = Buffer.concat([directory, Buffer.from('/'), filename])
    const attributes = attributesOf(await fs.lstat(path, { bigint: true }))
    return { filename, longname: longName(filename, attributes), attributes }
  }

  #at(path: Buffer): Buffer {
    return path[0] === 0x2f ? path : Buffer.concat([this.#root, Buffer.from('/'), path])
  }
}

function fileOf(open: OpenInFolder): fs.FileHandle {
  if (open.kind !== 'file') throw new SftpStatusError('failure', 'That is a directory')
  return open.file
}

function systemFlags(flags: number): number {
  const access = flags & (openFlags.read | openFlags.write)
  return (
    (access === 3 ? constants.O_RDWR : access === openFlags.write ? constants.O_WRONLY : constants.O_RDONLY) |
    (flags & openFlags.append ? constants.O_APPEND : 0) |
    (flags & openFlags.create ? constants.O_CREAT : 0) |
    (flags & openFlags.truncate ? constants.O_TRUNC : 0) |
    (flags & openFlags.exclusive ? constants.O_EXCL : 0)
  )
}

function attributesOf(stats: BigIntStats): SftpAttributes {
  return {
    size: stats.size,
    owner: { uid: Number(stats.uid), gid: Number(stats.gid) },
    permissions: Number(stats.mode),
    times: { accessed: Number(stats.atimeMs / 1000n), modified: Number(stats.mtimeMs / 1000n) },
  }
}
