import { hash } from 'node:crypto'
import type { PrivateKey, PublicKey } from '../keys/key.ts'
import { parsePublicKey } from '../keys/public-key.ts'
import { SshError } from '../wire/errors.ts'
import { Writer } from '../wire/writer.ts'
import type { Conversation } from './conversation.ts'
import type { KexHash, KexMethod, Shared } from './method.ts'

/** What both sides sent before a method begins; all of it goes into the exchange hash. */
export interface Preamble {
  clientIdent: string
  serverIdent: string
  clientInit: Buffer
  serverInit: Buffer
}

/** What a method led to: all that keys are derived from. */
export interface Exchanged {
  hash: KexHash
  /** As it stands before each key, with its length. */
  secret: Buffer
  exchangeHash: Buffer
  /** The server's, as in RFC 4253, 6.6. */
  hostKey: Buffer
}

export async function exchangeAsServer(
  method: KexMethod,
  conversation: Conversation,
  preamble: Preamble,
  { key, algorithm }: { key: PrivateKey; algorithm: string },
): Promise<Exchanged> {
  const hostKey = key.publicKey.blob
  const outcome = await method.server(conversation, hostKey)
  const exchangeHash = hashOf(method.hash, preamble, hostKey, outcome)
  conversation.send(outcome.reply(await key.sign(algorithm, exchangeHash)))
  return { hash: method.hash, secret: outcome.secret, exchangeHash, hostKey }
}

/** `verify` rejects when the key is not the server's. It is asked after the server proved that the key is its own. */
export async function exchangeAsClient(
  method: KexMethod,
  conversation: Conversation,
  preamble: Preamble,
  { algorithm, verify }: { algorithm: string; verify: (key: PublicKey) => void | Promise<void> },
): Promise<Exchanged> {
  const outcome = await method.client(conversation)
  const exchangeHash = hashOf(method.hash, preamble, outcome.hostKey, outcome)
  const key = parsePublicKey(outcome.hostKey, { legacy: algorithm === 'ssh-rsa' })
  if (!key.algorithms.includes(algorithm) || !key.verify(algorithm, exchangeHash, outcome.signature))
    throw new SshError('keyExchangeFailed', 'The server did not prove that its host key is its own')
  await verify(key)
  return { hash: method.hash, secret: outcome.secret, exchangeHash, hostKey: key.blob }
}

/** RFC 4253, 8. */
function hashOf(
  name: KexHash,
  { clientIdent, serverIdent, clientInit, serverInit }: Preamble,
  hostKey: Buffer,
  { transcript, secret }: Shared,
): Buffer {
  const hashed = new Writer(4096)
    .string(Buffer.from(clientIdent, 'latin1'))
    .string(Buffer.from(serverIdent, 'latin1'))
    .string(clientInit)
    .string(serverInit)
    .string(hostKey)
    .bytes(transcript)
    .bytes(secret)
    .finish()
  return hash(name, hashed, 'buffer')
}
