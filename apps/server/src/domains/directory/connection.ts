/** The way to the directory: connected, encrypted as it is set, and bounded before a word of LDAP is said. */
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import { guarded } from './answers.ts'
import { DirectoryFailure, told } from './failure.ts'

export interface Place {
  url: string
  startTls: boolean
  connectTimeoutMs: number
}

/** @returns undefined where it is no address of a directory */
export function addressOf(url: string): { host: string; port: number; isSecure: boolean } | undefined {
  const found = URL.parse(url)
  const isSecure = found?.protocol === 'ldaps:'
  if (found === null || (!isSecure && found.protocol !== 'ldap:')) return undefined
  const isBare =
    found.username === '' && found.password === '' && /^\/?$/.test(found.pathname) && !found.search
  const host = found.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isBare || found.hash || host === '') return undefined
  return { host, port: Number(found.port || (isSecure ? 636 : 389)), isSecure }
}

/**
 * @param limits.ends ends the connection, whatever it is in the middle of
 * @param limits.mostBytes more is not read
 * @throws DirectoryFailure
 */
export async function connect(
  place: Place,
  { ends, mostBytes }: { ends: AbortSignal; mostBytes: number },
): Promise<net.Socket> {
  const at = addressOf(place.url)
  if (at === undefined) throw new DirectoryFailure('server', { key: 'ldap_scheme' })
  const within = AbortSignal.any([ends, AbortSignal.timeout(place.connectTimeoutMs)])
  const plain = listened(net.connect({ host: at.host, port: at.port }))
  try {
    await once(plain, 'connect', { signal: within })
    if (!at.isSecure && !place.startTls) return bounded(plain)
    if (place.startTls && !at.isSecure) await startTls(plain, within)
    const servername = net.isIP(at.host) === 0 ? at.host : ''
    const options = { socket: plain, host: at.host, servername, minVersion: 'TLSv1.2' as const }
    const secure = listened(tls.connect(options))
    await once(secure, 'secureConnect', { signal: within })
    return bounded(secure)
  } catch (error) {
    plain.destroy()
    if (error instanceof DirectoryFailure) throw error
    throw within.aborted
      ? new DirectoryFailure('server', { key: 'ldap_too_late' })
      : new DirectoryFailure('server', told(error), error)
  }

  function bounded(socket: net.Socket): net.Socket {
    const end = () => socket.destroy()
    if (ends.aborted) end()
    ends.addEventListener('abort', end, { once: true })
    socket.once('close', () => ends.removeEventListener('abort', end))
    return guarded(socket, mostBytes)
  }
}

/** As long as it lives: whoever waits for it has been told, and an error nobody listens for ends the process. */
function listened<Socket extends net.Socket>(socket: Socket): Socket {
  return socket.on('error', () => {})
}

/** An extended request (RFC 4511 4.14.1): message 1, the name of StartTLS, no value. */
const startTlsRequest = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037', 'latin1'),
])
const mostAnswer = 4096

/**
 * The answer is read whole, and nothing may come after it: what somebody on the way adds in the clear would else be taken for a part of
 * what is said encrypted.
 */
async function startTls(socket: net.Socket, within: AbortSignal): Promise<void> {
  socket.write(startTlsRequest)
  let said = Buffer.alloc(0)
  for (;;) {
    const end = lengthOf(said)
    if (end !== undefined && said.length >= end) {
      if (said.length > end || !isAccepted(said))
        throw new DirectoryFailure('server', { key: 'ldap_tls_refused' })
      return
    }
    if (said.length > mostAnswer) throw new DirectoryFailure('server', { key: 'ldap_tls_refused' })
    within.throwIfAborted()
    const piece = socket.read() as Buffer | null
    if (piece !== null) {
      said = Buffer.concat([said, piece])
      continue
    }
    if (socket.readableEnded) throw new DirectoryFailure('server', { key: 'ldap_closed' })
    await Promise.race([
      once(socket, 'readable', { signal: within }),
      once(socket, 'end', { signal: within }),
    ])
  }
}

/** Of one message with its head: a sequence, whose length takes a byte, or as many more as the first one says. */
function lengthOf(said: Buffer): number | undefined {
  if (said.length < 2) return undefined
  const first = said.readUInt8(1)
  if (first < 0x80) return 2 + first
  const more = first & 0x7f
  if (more > 3) throw new DirectoryFailure('server', { key: 'ldap_tls_refused' })
  return said.length < 2 + more ? undefined : 2 + more + said.readUIntBE(2, more)
}

/** Whether it is the answer to message 1, and its code success. */
function isAccepted(said: Buffer): boolean {
  const body = said.subarray(said.readUInt8(1) < 0x80 ? 2 : 2 + (said.readUInt8(1) & 0x7f))
  const answer = body.subarray(3)
  if (!body.subarray(0, 3).equals(Buffer.from([0x02, 0x01, 0x01])) || answer[0] !== 0x78) return false
  const size = answer[1] ?? 0
  const code = answer.subarray(size < 0x80 ? 2 : 2 + (size & 0x7f))
  return code.subarray(0, 3).equals(Buffer.from([0x0a, 0x01, 0x00]))
}
