import type { IncomingHttpHeaders } from 'node:http'
import { frameType, type Frame } from '@sallyport/contract/recording'
import { z } from 'zod'
import {
  finishRecording,
  framesOf,
  putChunk,
  refuse,
  type Reply,
  type StoredRecording,
} from './recordings.ts'

export interface StoredSession {
  [field: string]: unknown
  id: string
  is_finished: boolean
  end_reason?: string
  end_detail?: string
}

/** The sessions the test server knows of, with their recordings and commands. */
export class TestBooks {
  readonly sessions = new Map<string, StoredSession>()
  /** By the ids of their sessions; of the recordings beside the first: `id/number`. */
  readonly recordings = new Map<string, StoredRecording>()
  readonly commands: Record<string, unknown>[] = []

  /** All frames of a recording as far as the server has them, in order. */
  async frames(sessionId: string): Promise<Frame[]> {
    return framesOf(this.recordings.get(sessionId))
  }

  /** The recorded output as text. */
  async outputText(sessionId: string): Promise<string> {
    return (await this.outputBytes(sessionId)).toString('utf8')
  }

  async outputBytes(sessionId: string): Promise<Buffer> {
    const frames = await this.frames(sessionId)
    return Buffer.concat(
      frames.filter((frame) => frame.type === frameType.output).map((frame) => frame.payload),
    )
  }

  begin(json: unknown): Reply {
    const session = z.looseObject({ id: z.string() }).parse(json)
    this.sessions.set(session.id, { ...session, is_finished: false })
    return { status: 201, body: session }
  }

  change(id: string, json: unknown): Reply {
    const session = this.sessions.get(id)
    if (!session) return refuse(404, 'not_found', 'Not found')
    Object.assign(session, json)
    return { status: 200, body: session }
  }

  addCommands(json: unknown): Reply {
    for (const record of z.array(z.record(z.string(), z.unknown())).parse(json)) {
      if (!this.commands.some((known) => known.id === record.id)) this.commands.push(record)
    }
    return { status: 201, body: 'ok' }
  }

  putChunk(request: { headers: IncomingHttpHeaders; bytes: Buffer }, id: string, number: number): Reply {
    return this.sessions.has(id.replace(/\/.*/, ''))
      ? putChunk(this.recordings, request, id, number)
      : refuse(404, 'not_found', 'Not found')
  }

  finishRecording(id: string, json: unknown): Reply {
    return finishRecording(this.recordings, json, id)
  }
}
