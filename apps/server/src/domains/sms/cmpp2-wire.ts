/**
 * What China Mobile Point to Point 2.0 says on the wire: messages of a length, a command and a sequence number (4 octets each, big end
 * first) and a body of fixed fields. Texts in it are ASCII, filled up with zeros.
 */
import { createHash } from 'node:crypto'

export const commands = {
  connect: 0x0000_0001,
  terminate: 0x0000_0002,
  submit: 0x0000_0004,
  activeTest: 0x0000_0008,
} as const
/** Of the answer to a command. */
export const answerTo = (command: number) => (command | 0x8000_0000) >>> 0
/** What fits the fields: SP ID, service ID, source number, and the text in UCS-2. */
export const most = { spId: 6, serviceId: 10, number: 21, textUnits: 70 } as const

const headBytes = 12
const version = 0x20
/** UCS-2. */
const wideText = 8

export interface Message {
  command: number
  sequence: number
  body: Buffer
}

const octets = (text: string, size: number) => {
  const field = Buffer.alloc(size)
  field.write(text, 'latin1')
  return field
}
const md5 = (...parts: readonly (string | Buffer)[]) => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

export function encode({ command, sequence, body }: Message): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(headBytes + body.length, 0)
  head.writeUInt32BE(command, 4)
  head.writeUInt32BE(sequence, 8)
  return Buffer.concat([head, body])
}

/** MMDDHHMMSS in China, where gateways compare it with their clock. */
export const timestampOf = (now: Date) =>
  new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(5, 19).replaceAll(/\D/g, '')

/** @returns the body, and what the gateway is to prove the shared secret with */
export function connectBody(spId: string, secret: string, timestamp: string) {
  const authenticator = md5(spId, Buffer.alloc(9), secret, timestamp)
  const end = Buffer.alloc(5)
  end.writeUInt8(version, 0)
  end.writeUInt32BE(Number(timestamp), 1)
  return { body: Buffer.concat([octets(spId, most.spId), authenticator, end]), authenticator }
}

const connectAnswerBytes = 18
/** @returns 0 where it lets in, and whether it knows the shared secret; undefined where it is no such answer */
export function readConnectAnswer(body: Buffer, authenticator: Buffer, secret: string) {
  if (body.length !== connectAnswerBytes) return undefined
  const status = body.subarray(0, 1)
  return {
    status: body.readUInt8(0),
    isProven: body.subarray(1, 17).equals(md5(status, authenticator, secret)),
  }
}

export interface Submitted {
  spId: string
  serviceId: string
  /** The number it is sent from. */
  source: string
  phone: string
  text: string
}
/** One text to one phone, of which no report is wanted, and which the sender pays. */
export function submitBody({ spId, serviceId, source, phone, text }: Submitted): Buffer {
  const content = Buffer.from(text, 'utf16le').swap16()
  return Buffer.concat([
    Buffer.alloc(8), // Msg_Id: the gateway's
    Buffer.from([1, 1, 0, 1]), // Pk_total, Pk_number, Registered_Delivery, Msg_level
    octets(serviceId, most.serviceId),
    Buffer.from([2]), // Fee_UserType: the SP
    octets('', most.number), // Fee_terminal_Id
    Buffer.from([0, 0, wideText]), // TP_pId, TP_udhi, Msg_Fmt
    octets(spId, most.spId), // Msg_src
    octets('01', 2), // FeeType: nothing for who gets it
    octets('000000', 6), // FeeCode
    octets('', 17), // ValId_Time
    octets('', 17), // At_Time
    octets(source, most.number), // Src_Id
    Buffer.from([1]), // DestUsr_tl
    octets(phone, most.number), // Dest_terminal_Id
    Buffer.from([content.length]),
    content,
    Buffer.alloc(8), // Reserve
  ])
}
const submitAnswerBytes = 9
/** @returns 0 where it was taken; undefined where it is no such answer */
export const readSubmitAnswer = (body: Buffer): number | undefined =>
  body.length === submitAnswerBytes ? body.readUInt8(8) : undefined

/** Longer than anything a gateway has to say to somebody who only sends. */
const mostMessageBytes = 4096
const mostBytes = 65_536

/** The messages of a connection. @throws Error on what is none, or far too much */
export async function* messagesOf(connection: AsyncIterable<Buffer>): AsyncGenerator<Message, undefined> {
  let held: Buffer = Buffer.alloc(0)
  let read = 0
  for await (const piece of connection) {
    read += piece.length
    if (read > mostBytes) throw new NoMessage()
    held = Buffer.concat([held, piece])
    while (held.length >= headBytes) {
      const length = held.readUInt32BE(0)
      if (length < headBytes || length > mostMessageBytes) throw new NoMessage()
      if (held.length < length) break
      yield {
        command: held.readUInt32BE(4),
        sequence: held.readUInt32BE(8),
        body: held.subarray(headBytes, length),
      }
      held = held.subarray(length)
    }
  }
  return undefined
}
export class NoMessage extends Error {
  override name = 'NoMessage'
}
