import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { z } from 'zod'
import { FrameDecoder, frameType, inflatedChunkMaxBytes } from '@sallyport/contract/recording'
import { releaseRoom } from './disk.ts'

/**
 * What is recorded of a session on disk: a folder with `session.json`, and in it the first recording; the next ones in folders within, each
 * named by its number. A recording is sealed chunks `000001-<start ms>-<end ms>-<0|1>.zst` (1: begins with a snapshot), and `journal`: the
 * number of the open chunk (u32), then its frames as they are.
 */
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

export const journalName = 'journal'
const sessionName = 'session.json'
const endedName = 'ended'
const chunkPattern = /^(\d{6,})-(\d+)-(\d+)-([01])\.zst$/

export interface StoredChunk {
  number: number
  start_ms: number
  end_ms: number
  is_keyframe: boolean
  /** bytes on disk */
  size: number
}

const sessionFileSchema = z.object({ id: z.uuid(), date_start: z.iso.datetime() })
export type SessionFile = z.infer<typeof sessionFileSchema>

function chunkFile(chunk: Omit<StoredChunk, 'size'>): string {
  const number = String(chunk.number).padStart(6, '0')
  return `${number}-${chunk.start_ms}-${chunk.end_ms}-${chunk.is_keyframe ? 1 : 0}.zst`
}

/** Where the recording of that number lies in its session's folder. */
export const folderOfRecording = (folder: string, number: number) =>
  number === 1 ? folder : join(folder, String(number))

/** The numbers of the recordings in a session's folder. */
export async function listRecordings(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return [1, ...names.filter((name) => /^\d+$/.test(name)).map(Number)]
}

/** Compresses off the event loop. */
export async function deflateFrames(frames: Uint8Array): Promise<Buffer> {
  return compress(frames, { chunkSize: 128 * 1024, params: { [constants.ZSTD_c_compressionLevel]: 1 } })
}

export async function inflateFrames(bytes: Uint8Array): Promise<Buffer> {
  return decompress(bytes, { maxOutputLength: inflatedChunkMaxBytes })
}

/** Whole or not at all: written under another name first. */
export async function storeChunk(
  folder: string,
  chunk: Omit<StoredChunk, 'size'>,
  frames: Uint8Array,
): Promise<StoredChunk> {
  const bytes = await deflateFrames(frames)
  const file = join(folder, chunkFile(chunk))
  await writeFile(`${file}.new`, bytes, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return { ...chunk, size: bytes.byteLength }
}

export async function loadChunk(folder: string, chunk: StoredChunk): Promise<Buffer> {
  return readFile(join(folder, chunkFile(chunk)))
}

/** The sealed chunks by number. */
export async function listChunks(folder: string): Promise<StoredChunk[]> {
  const chunks: StoredChunk[] = []
  for (const name of await readdir(folder)) {
    const match = chunkPattern.exec(name)
    if (!match) continue
    const { size } = await stat(join(folder, name))
    chunks.push({
      number: Number(match[1]),
      start_ms: Number(match[2]),
      end_ms: Number(match[3]),
      is_keyframe: match[4] === '1',
      size,
    })
  }
  return chunks.sort((a, b) => a.number - b.number)
}

export async function writeSessionFile(folder: string, session: SessionFile): Promise<void> {
  await writeFile(join(folder, sessionName), JSON.stringify(session), { mode: 0o600 })
}

export async function readSessionFile(folder: string): Promise<SessionFile> {
  return sessionFileSchema.parse(JSON.parse(await readFile(join(folder, sessionName), 'utf8')))
}

/** Marks that the end of this session has been queued for the server's books. */
export async function markEnded(folder: string): Promise<void> {
  await writeFile(join(folder, endedName), '', { mode: 0o600 })
}

export async function isMarkedEnded(folder: string): Promise<boolean> {
  return (await readdir(folder)).includes(endedName)
}

export function journalHead(chunkNumber: number): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(chunkNumber)
  return head
}

/** Seals what a killed gateway left in the journal; a frame cut off at its end is dropped. */
export async function sealJournal(folder: string): Promise<void> {
  await releaseRoom(folder)
  const file = join(folder, journalName)
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  const stored = await listChunks(folder)
  if (bytes.byteLength > 4) {
    const number = bytes.readUInt32BE(0)
    const decoder = new FrameDecoder()
    const frames = decoder.push(bytes.subarray(4))
    const first = frames[0]
    const last = frames.at(-1)
    if (first && last && !stored.some((chunk) => chunk.number === number)) {
      const whole = bytes.subarray(4, bytes.byteLength - decoder.pendingBytes)
      await storeChunk(
        folder,
        {
          number,
          start_ms: first.timeMs,
          end_ms: last.timeMs,
          is_keyframe: first.type === frameType.snapshot,
        },
        whole,
      )
    }
  }
  await rm(file)
}
