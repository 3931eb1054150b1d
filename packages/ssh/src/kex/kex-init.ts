import { randomBytes } from 'node:crypto'
import { message } from '../wire/messages.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'

/** What one side can do, best first (RFC 4253, 7.1). */
export interface Proposal {
  kex: readonly string[]
  hostKey: readonly string[]
  cipherToServer: readonly string[]
  cipherToClient: readonly string[]
  macToServer: readonly string[]
  macToClient: readonly string[]
  compressionToServer: readonly string[]
  compressionToClient: readonly string[]
  /** A first message of the first method follows before the other side's proposal is known. */
  isGuessing: boolean
}

const cookieBytes = 16

export function writeKexInit(proposal: Proposal): Buffer {
  return new Writer(1024)
    .byte(message.kexInit)
    .bytes(randomBytes(cookieBytes))
    .nameList(proposal.kex)
    .nameList(proposal.hostKey)
    .nameList(proposal.cipherToServer)
    .nameList(proposal.cipherToClient)
    .nameList(proposal.macToServer)
    .nameList(proposal.macToClient)
    .nameList(proposal.compressionToServer)
    .nameList(proposal.compressionToClient)
    .nameList([])
    .nameList([])
    .boolean(proposal.isGuessing)
    .uint32(0)
    .finish()
}

export function readKexInit(payload: Buffer): Proposal {
  const reader = new Reader(payload, 1 + cookieBytes)
  const lists = Array.from({ length: 10 }, () => reader.nameList())
  const [kex = [], hostKey = [], cipherToServer = [], cipherToClient = [], macToServer = []] = lists
  const [macToClient = [], compressionToServer = [], compressionToClient = []] = lists.slice(5)
  const isGuessing = reader.boolean()
  reader.uint32()
  reader.end()
  return {
    kex,
    hostKey,
    cipherToServer,
    cipherToClient,
    macToServer,
    macToClient,
    compressionToServer,
    compressionToClient,
    isGuessing,
  }
}
