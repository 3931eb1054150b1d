/** What an exec channel's recording holds: the command, how it ended, and the beginnings of its streams. */
import { decodeMark, frameType, type RecordingMark } from '@sallyport/contract/recording'
import type { RecordingSource } from './recording-source.ts'

export type ExecEnd = Extract<RecordingMark, { kind: 'exec_end' }>

export interface ExecRecording {
  command: string
  end: ExecEnd | undefined
  stdin: ShownStream
  stdout: ShownStream
  stderr: ShownStream
}

export interface ShownStream {
  text: string
  /** Bytes read for the text. */
  bytes: number
  isCut: boolean
}

/** Of each stream this much is shown; the download has all that was recorded. */
export const shownBytesMax = 256 * 1024

class StreamText {
  private readonly decoder = new TextDecoder()
  private text = ''
  private bytes = 0
  private isCut = false

  push(payload: Uint8Array) {
    const room = shownBytesMax - this.bytes
    if (payload.byteLength > room) this.isCut = true
    const part = payload.subarray(0, room)
    this.bytes += part.byteLength
    this.text += this.decoder.decode(part, { stream: true })
  }

  get isFull() {
    return this.isCut
  }

  end(): ShownStream {
    return { text: this.text + this.decoder.decode(), bytes: this.bytes, isCut: this.isCut }
  }
}

/** Reads an exec recording; null when the recording is a terminal's. Rejects with ApiError or RecordingFormatError. */
export async function execRecordingOf(source: RecordingSource): Promise<ExecRecording | null> {
  const streams = { stdin: new StreamText(), stdout: new StreamText(), stderr: new StreamText() }
  let command: string | undefined
  let end: ExecEnd | undefined
  const lastPlace = source.chunkCount - 1
  for (let place = 0; place <= lastPlace; place += 1) {
    for (const frame of await source.frames(place)) {
      if (frame.type === frameType.output) streams.stdout.push(frame.payload)
      else if (frame.type === frameType.errorOutput) streams.stderr.push(frame.payload)
      else if (frame.type === frameType.inputContent) streams.stdin.push(frame.payload)
      if (frame.type !== frameType.mark) continue
      const mark = decodeMark(frame.payload)
      if (mark?.kind === 'exec_start') command = mark.command
      if (mark?.kind === 'exec_end') end = mark
    }
    if (command === undefined) return null
    // Nothing more would be shown of the parts between: the end is in the last one.
    if (Object.values(streams).some((stream) => stream.isFull) && place < lastPlace - 1) place = lastPlace - 1
  }
  if (command === undefined) return null
  const { stdin, stdout, stderr } = streams
  return { command, end, stdin: stdin.end(), stdout: stdout.end(), stderr: stderr.end() }
}
