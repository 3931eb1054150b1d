import { MalformedError, SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import { Writer } from '../wire/writer.ts'
import { agreeIn, generateIn, type Group, knownGroup } from './dh.ts'
import { type KexHash, type KexMethod, maxHostKeyBytes, maxSignatureBytes } from './method.ts'

const request = 34
const group = message.kexFirst + 1
const init = 32
const reply = 33

const minBits = 2048
/** As strong as the ciphers of 128 bits. */
const preferredBits = 3072
const maxBits = 8192

/** What a server has to offer (RFC 3526). */
const groups = (['modp14', 'modp15', 'modp16', 'modp17', 'modp18'] as const).map(knownGroup)

/** The server chooses a group as large as the client asks for (RFC 4419). */
export function groupExchange(hash: KexHash): KexMethod {
  return {
    hash,

    async client(conversation) {
      conversation.send(writeSizes(new Writer().byte(request), minBits, preferredBits, maxBits).finish())
      const offered = await conversation.receive(group)
      const prime = Buffer.from(offered.mpint())
      const generator = offered.mpint()
      offered.end()
      const bits = bitsOf(prime)
      if (bits < minBits || bits > maxBits || generator.length !== 1 || (generator[0] ?? 0) < 2)
        throw new MalformedError('The group of the key exchange is not allowed')
      const chosen: Group = { prime, generator: generator[0] ?? 0 }
      const { privateKey, value } = await generateIn(chosen)
      conversation.send(new Writer(1200).byte(init).mpint(value).finish())
      const answer = await conversation.receive(reply)
      const hostKey = answer.string(maxHostKeyBytes)
      const theirs = answer.mpint()
      const signature = answer.string(maxSignatureBytes)
      answer.end()
      const secret = await agreeIn(chosen, privateKey, theirs)
      const sizes = writeSizes(new Writer(4096), minBits, preferredBits, maxBits)
      return { hostKey, signature, ...shared(sizes, chosen, value, theirs, secret) }
    },

    async server(conversation, hostKey) {
      const asked = await conversation.receive(request)
      const [min, preferred, max] = [asked.uint32(), asked.uint32(), asked.uint32()]
      asked.end()
      if (min > preferred || preferred > max)
        throw new MalformedError('The sizes of the group are not allowed')
      const allowed = groups.filter(({ prime }) => bitsOf(prime) >= min && bitsOf(prime) <= max)
      const chosen = allowed.find(({ prime }) => bitsOf(prime) >= preferred) ?? allowed.at(-1)
      if (!chosen) throw new SshError('keyExchangeFailed', 'There is no group of the size that was asked for')
      conversation.send(
        new Writer(1200)
          .byte(group)
          .mpint(chosen.prime)
          .mpint(Buffer.from([chosen.generator]))
          .finish(),
      )
      const begun = await conversation.receive(init)
      const theirs = begun.mpint()
      begun.end()
      const { privateKey, value } = await generateIn(chosen)
      const secret = await agreeIn(chosen, privateKey, theirs)
      const sizes = writeSizes(new Writer(4096), min, preferred, max)
      return {
        ...shared(sizes, chosen, theirs, value, secret),
        reply: (signature) =>
          new Writer(4096).byte(reply).string(hostKey).mpint(value).string(signature).finish(),
      }
    },
  }
}

function writeSizes(writer: Writer, min: number, preferred: number, max: number): Writer {
  return writer.uint32(min).uint32(preferred).uint32(max)
}

function shared(sizes: Writer, { prime, generator }: Group, client: Buffer, server: Buffer, secret: Buffer) {
  const group = sizes.mpint(prime).mpint(Buffer.from([generator]))
  return {
    transcript: group.mpint(client).mpint(server).finish(),
    secret: new Writer(1200).mpint(secret).finish(),
  }
}

function bitsOf(number: Buffer): number {
  return number.length === 0 ? 0 : number.length * 8 - Math.clz32(number[0] ?? 0) + 24
}
