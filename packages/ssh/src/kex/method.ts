import { MalformedError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import type { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import type { Conversation } from './conversation.ts'

export type KexHash = 'sha1' | 'sha256' | 'sha384' | 'sha512'

/** What one side knows when the messages of a method are exchanged. */
export interface Shared {
  /** As it stands in the exchange hash and before each key: with its length, as a number or a string. */
  secret: Buffer
  /** What stands between the host key and the secret in the exchange hash. */
  transcript: Buffer
}

export interface ClientOutcome extends Shared {
  hostKey: Buffer
  signature: Buffer
}

export interface ServerOutcome extends Shared {
  /** The last message. */
  reply(signature: Buffer): Buffer
}

/** A method of key exchange: a conversation in the messages from 30 to 49. */
export interface KexMethod {
  readonly hash: KexHash
  client(conversation: Conversation): Promise<ClientOutcome>
  server(conversation: Conversation, hostKey: Buffer): Promise<ServerOutcome>
}

/** How two sides agree on a secret by one value each. A value is what is sent, without its length. */
export interface TwoValues {
  /** The client begins. What the server answered may be anything. */
  begin(): Awaitable<{ value: Buffer; finish(answer: Buffer): Awaitable<Buffer> }>
  /** The server answers. What the client began with may be anything. */
  answer(begun: Buffer): Awaitable<{ value: Buffer; secret: Buffer }>
}
export type Awaitable<Value> = Value | Promise<Value>

/** Strings are of bytes; numbers not negative and without leading zeros (RFC 4251, 5). */
export type Encoding = 'string' | 'mpint'

export const maxHostKeyBytes = 65_536
export const maxSignatureBytes = 8_192
/** More than any value of a method has. */
const maxValueBytes = 4_096

/** The method in which the client sends one value (30) and the server answers with its host key, one value and a signature (31). */
export function twoValueMethod(
  hash: KexHash,
  values: TwoValues,
  encodings: { value: Encoding; secret: Encoding },
): KexMethod {
  const read = (reader: Reader) =>
    encodings.value === 'string' ? reader.string(maxValueBytes) : reader.mpint()
  return {
    hash,

    async client(conversation) {
      const begun = await values.begin()
      conversation.send(write(new Writer().byte(message.kexFirst), encodings.value, begun.value).finish())
      const reply = await conversation.receive(message.kexFirst + 1)
      const hostKey = reply.string(maxHostKeyBytes)
      const value = read(reply)
      const signature = reply.string(maxSignatureBytes)
      reply.end()
      const secret = await begun.finish(value)
      return {
        hostKey,
        signature,
        secret: write(new Writer(), encodings.secret, secret).finish(),
        transcript: write(write(new Writer(), encodings.value, begun.value), encodings.value, value).finish(),
      }
    },

    async server(conversation, hostKey) {
      const init = await conversation.receive(message.kexFirst)
      const begun = read(init)
      init.end()
      const { value, secret } = await values.answer(begun)
      return {
        secret: write(new Writer(), encodings.secret, secret).finish(),
        transcript: write(write(new Writer(), encodings.value, begun), encodings.value, value).finish(),
        reply: (signature) =>
          write(new Writer(2048).byte(message.kexFirst + 1).string(hostKey), encodings.value, value)
            .string(signature)
            .finish(),
      }
    },
  }
}

export function write(writer: Writer, encoding: Encoding, value: Buffer): Writer {
  return encoding === 'string' ? writer.string(value) : writer.mpint(value)
}

/** Runs what fails on values of a peer that are none. */
export function onPeersValue<Result>(run: () => Result): Result {
  try {
    return run()
  } catch {
    throw new MalformedError('A value of the key exchange is not allowed')
  }
}
