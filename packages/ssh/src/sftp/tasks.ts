import {
  limitsForm,
  pathAnswer,
  statusAnswer,
  statvfsForm,
  usersGroupsForm,
  writeReply,
  type SftpAnswer,
} from './answers.ts'
import { SftpStatusError } from './errors.ts'
import type { SftpExtension } from './extensions.ts'
import { maxPacketBytes } from './fields.ts'
import type { SftpFiles } from './files.ts'
import { Lane, type Access } from './lane.ts'
import { OpenFiles } from './open-files.ts'
import { openFlags, type SftpRequest } from './requests.ts'
import { Turn } from './turn.ts'

/** OpenSSH's server has these: what fits into a packet with a kibibyte for all else. */
export const maxDataBytes = maxPacketBytes - 1024

export interface TasksOptions<Handle> {
  files: SftpFiles<Handle>
  /** Clients are told of these; the others are refused. `limits` is answered here. */
  extensions: readonly SftpExtension[]
  /** Files and directories a client may have open at once. */
  maxHandles: number
}

/** What is to be done for each request, and behind what it has to wait. */
export class Tasks<Handle> {
  readonly #options: TasksOptions<Handle>
  readonly #open: OpenFiles<Handle>
  /** Everything that names a file by its path. */
  readonly #paths = new Lane()

  constructor(options: TasksOptions<Handle>) {
    this.#options = options
    this.#open = new OpenFiles(options.maxHandles)
  }

  /** Closes what is open; gets what went wrong there. */
  async closeAll(onError: (error: unknown) => void): Promise<void> {
    for (const { file } of this.#open.takeAll()) await this.#options.files.close(file).catch(onError)
  }

  /** Throws an `SftpStatusError` where nothing can be done. */
  turnOf(request: SftpRequest): Turn {
    const { files } = this.#options
    switch (request.kind) {
      case 'open': {
        const { path, flags, attributes } = request
        const isReading = (flags & ~openFlags.read) === 0
        return this.#onPaths(isReading ? 'read' : 'alone', () =>
          this.#open.open(() => files.open(path, flags, attributes)),
        )
      }
      case 'opendir':
        return this.#onPaths('read', () => this.#open.open(() => files.opendir(request.path)))
      case 'close':
        return this.#close(request.handle)
      case 'read':
        return this.#onFile(request.handle, 'read', async (file) => {
          const length = Math.min(request.length, maxDataBytes)
          const data = await files.read(file, request.offset, length)
          return data ? { kind: 'data', data } : statusAnswer('endOfFile')
        })
      case 'write':
        return this.#onFile(request.handle, 'write', (file) =>
          done(files.write(file, request.offset, request.data)),
        )
      case 'readdir':
        return this.#onFile(request.handle, 'alone', async (file) => {
          const names = await files.readdir(file)
          return names ? { kind: 'name', names } : statusAnswer('endOfFile')
        })
      case 'fstat':
        return this.#onFile(request.handle, 'alone', async (file) => ({
          kind: 'attributes',
          attributes: await files.fstat(file),
        }))
      case 'fsetstat':
        return this.#onFile(request.handle, 'alone', (file) => done(files.fsetstat(file, request.attributes)))
      case 'lstat':
      case 'stat':
        return this.#onPaths('read', async () => ({
          kind: 'attributes',
          attributes: await files[request.kind](request.path),
        }))
      case 'setstat':
        return this.#onPaths('alone', () => done(files.setstat(request.path, request.attributes)))
      case 'mkdir':
        return this.#onPaths('alone', () => done(files.mkdir(request.path, request.attributes)))
      case 'remove':
      case 'rmdir':
        return this.#onPaths('alone', () => done(files[request.kind](request.path)))
      case 'realpath':
      case 'readlink':
        return this.#onPaths('read', async () => pathAnswer(await files[request.kind](request.path)))
      case 'symlink':
        return this.#onPaths('alone', () => done(files.symlink(request.target, request.link)))
      case 'rename':
        return this.#onPaths('alone', () => done(files.rename(request.from, request.to)))
      case 'extended':
      case 'unknown':
        throw new SftpStatusError('unsupported')
      default:
        return this.#extensionTurnOf(request)
    }
  }

  #extensionTurnOf(request: Extract<SftpRequest, { kind: SftpExtension }>): Turn {
    const { files, extensions } = this.#options
    if (!extensions.includes(request.kind)) throw new SftpStatusError('unsupported')
    switch (request.kind) {
      case 'posixRename':
      case 'hardlink':
        return this.#onPaths('alone', () => done(files[request.kind]?.(request.from, request.to)))
      case 'lsetstat':
        return this.#onPaths('alone', () => done(files.lsetstat?.(request.path, request.attributes)))
      case 'statvfs':
        return this.#onPaths('read', async () =>
          writeReply(statvfsForm, await known(files.statvfs?.(request.path))),
        )
      case 'expandPath':
        return this.#onPaths('read', async () => pathAnswer(await known(files.expandPath?.(request.path))))
      case 'homeDirectory':
        return this.#onPaths('read', async () =>
          pathAnswer(await known(files.homeDirectory?.(request.username))),
        )
      case 'usersGroupsById':
        return this.#onPaths('read', async () =>
          writeReply(usersGroupsForm, await known(files.usersGroupsById?.(request.uids, request.gids))),
        )
      case 'limits':
        return new Turn([], async () => writeReply(limitsForm, this.#limits))
      case 'fsync':
        return this.#onFile(request.handle, 'alone', (file) => done(files.fsync?.(file)))
      case 'fstatvfs':
        return this.#onFile(request.handle, 'read', async (file) =>
          writeReply(statvfsForm, await known(files.fstatvfs?.(file))),
        )
      case 'copyData':
        return this.#copy(request)
      default:
        throw new SftpStatusError('unsupported')
    }
  }

  #onPaths(access: Access, run: () => Promise<SftpAnswer>): Turn {
    return new Turn([[this.#paths, access]], run)
  }

  #onFile(handle: Buffer, access: Access, run: (file: Handle) => Promise<SftpAnswer>): Turn {
    const { file, lane } = this.#open.get(handle)
    return new Turn([[lane, access]], () => run(file))
  }

  /** What comes behind it finds the handle unknown. */
  #close(handle: Buffer): Turn {
    const { file, lane } = this.#open.take(handle)
    return new Turn([[lane, 'alone']], () => done(this.#options.files.close(file)))
  }

  #copy({ from, fromOffset, length, to, toOffset }: Extract<SftpRequest, { kind: 'copyData' }>): Turn {
    const [source, target] = [this.#open.get(from), this.#open.get(to)]
    const lanes: [Lane, Access][] = [[target.lane, 'alone']]
    if (source !== target) lanes.push([source.lane, 'read'])
    const { files } = this.#options
    return new Turn(lanes, () =>
      done(files.copyData?.(source.file, fromOffset, length, target.file, toOffset)),
    )
  }

  get #limits() {
    return {
      packetBytes: BigInt(maxPacketBytes),
      readBytes: BigInt(maxDataBytes),
      writeBytes: BigInt(maxDataBytes),
      openHandles: BigInt(this.#options.maxHandles),
    }
  }
}

async function done(work: Promise<void> | undefined): Promise<SftpAnswer> {
  await known(work)
  return statusAnswer('ok')
}

/** A method the application does not have is none the client can use. */
async function known<Result>(result: Promise<Result> | undefined): Promise<Result> {
  if (!result) throw new SftpStatusError('unsupported')
  return await result
}
