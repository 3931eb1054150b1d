/** Recordings for other programs: asciicast version 2, as a stream, and the tar that is downloaded. */
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'
import { decodeSize, framesIn, frameType } from '@sallyport/contract/recording'
import type { ObjectStorage } from '../../kernel/storage/index.ts'
import type { SessionRow } from './components.ts'
import { type Chunk, beginning, framesOf } from './recording.ts'

/** Frames of a chunk that are told at once; others have their turn between. */
const framesATurn = 1000

const seconds = (timeMs: number) => Math.round(timeMs) / 1000
const line = (event: unknown) => `${JSON.stringify(event)}\n`

/** The lines of an asciicast, chunk by chunk; what the person was shown, and how large the window was. */
export async function* castOf(
  storage: ObjectStorage,
  session: SessionRow,
  chunks: readonly Chunk[],
): AsyncGenerator<string> {
  const { cols, rows } = await beginning(storage, chunks[0])
  yield line({
    version: 2,
    width: cols,
    height: rows,
    timestamp: Math.floor(session.date_start.getTime() / 1000),
    title: '',
    env: { SHELL: '/bin/bash', TERM: 'xterm-256color' },
  })
  // A character may be cut in two by the end of a frame.
  const decoder = new StringDecoder('utf8')
  // Programs run without a terminal end their lines as files do.
  const shown = (text: string) => (session.type === 'command' ? text.replaceAll(/\r?\n/g, '\r\n') : text)
  for (const chunk of chunks) {
    let text = ''
    let told = 0
    for (const { type, timeMs, payload } of framesIn(await framesOf(storage, chunk))) {
      if (++told % framesATurn === 0) {
        if (text !== '') yield text
        text = ''
        await setImmediate()
      }
      if (type === frameType.output || type === frameType.errorOutput) {
        const output = shown(decoder.write(Buffer.from(payload)))
        if (output !== '') text += line([seconds(timeMs), 'o', output])
      } else if (type === frameType.resize) {
        const size = decodeSize(payload)
        text += line([seconds(timeMs), 'r', `${size.cols}x${size.rows}`])
      }
    }
    if (text !== '') yield text
  }
}

/** Header of one file in a tar (POSIX ustar). */
export function tarHeader(name: string, size: number, modified: Date): Buffer {
  const header = Buffer.alloc(512)
  const octal = (value: number, digits: number) => Math.floor(value).toString(8).padStart(digits, '0')
  header.write(name, 0, 100)
  header.write('0000600\u0000', 100)
  header.write('0000000\u0000', 108)
  header.write('0000000\u0000', 116)
  header.write(`${octal(size, 11)}\u0000`, 124)
  header.write(`${octal(modified.getTime() / 1000, 11)}\u0000`, 136)
  header.write('        ', 148)
  header.write('0', 156)
  header.write('ustar\u000000', 257)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${octal(sum, 6)}\u0000 `, 148)
  return header
}

/** Files in a tar are filled up to whole blocks. */
export const tarPadding = (size: number): Buffer => Buffer.alloc((512 - (size % 512)) % 512)
export const tarEnd: Buffer = Buffer.alloc(1024)
