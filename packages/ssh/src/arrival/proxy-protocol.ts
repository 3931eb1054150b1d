/** The PROXY protocol, versions 1 and 2: a load balancer says whom it passes on (haproxy.org/download/2.9/doc/proxy-protocol.txt). */
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { plainAddress } from './address.ts'

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const headBytes = 16
/** Of version 1, its line end included. */
const maxLineBytes = 107
/** Of version 2 behind its head: addresses and what else the load balancer wants to say. */
const maxBodyBytes = 2048

export interface ProxyHeader {
  /** Undefined where the load balancer speaks for itself (a health check). */
  address: string | undefined
  /** Of the whole header. */
  length: number
}

/** Reads the header at the beginning of `bytes`; undefined while it is not whole. Throws when it is none. */
export function parseProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  const isBinary = bytes.subarray(0, signature.length).equals(signature.subarray(0, bytes.length))
  return isBinary ? parseBinary(bytes) : parseLine(bytes)
}

function parseLine(bytes: Buffer): ProxyHeader | undefined {
  const end = bytes.subarray(0, maxLineBytes).indexOf('\r\n')
  if (end < 0) {
    const isBeginning = 'PROXY '.startsWith(bytes.toString('latin1', 0, 6)) && bytes.length < maxLineBytes
    if (!isBeginning) throw new Error('No PROXY header')
    return undefined
  }
  const length = end + 2
  const [name, family, address = ''] = bytes.toString('latin1', 0, end).split(' ')
  if (name === 'PROXY' && family === 'UNKNOWN') return { address: undefined, length }
  const isKnown = (family === 'TCP4' && isIP(address) === 4) || (family === 'TCP6' && isIP(address) === 6)
  if (name !== 'PROXY' || !isKnown) throw new Error('No PROXY header')
  return { address: plainAddress(address), length }
}

function parseBinary(bytes: Buffer): ProxyHeader | undefined {
  if (bytes.length < headBytes) return undefined
  const version = bytes.readUInt8(12)
  const family = bytes.readUInt8(13) >> 4
  const bodyBytes = bytes.readUInt16BE(14)
  if (version >> 4 !== 2 || (version & 15) > 1 || bodyBytes > maxBodyBytes) throw new Error('No PROXY header')
  const length = headBytes + bodyBytes
  if (bytes.length < length) return undefined
  const isLocal = (version & 15) === 0
  const body = bytes.subarray(headBytes, length)
  if (isLocal || (family !== 1 && family !== 2)) return { address: undefined, length }
  if (body.length < (family === 1 ? 12 : 36)) throw new Error('No PROXY header')
  return { address: family === 1 ? body.subarray(0, 4).join('.') : ipv6(body), length }
}

function ipv6(body: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => body.readUInt16BE(index * 2).toString(16))
  return plainAddress(groups.join(':'))
}

/**
 * Takes the header off a stream and leaves it paused, with what follows unread. Resolves with the address of the client, undefined where
 * the load balancer speaks for itself; rejects when there is no header, or none in time.
 */
export function takeProxyHeader(stream: Duplex, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0)
    const timer = setTimeout(() => settle(() => reject(new Error('No PROXY header in time'))), timeoutMs)
    const settle = (done: () => void) => {
      clearTimeout(timer)
      stream.off('data', onData).off('close', onClose)
      stream.pause()
      done()
    }
    const onClose = () => settle(() => reject(new Error('The load balancer has gone')))
    const onData = (data: Buffer) => {
      bytes = Buffer.concat([bytes, data])
      try {
        const header = parseProxyHeader(bytes)
        if (!header) return
        settle(() => {
          const rest = bytes.subarray(header.length)
          if (rest.length > 0) stream.unshift(rest)
          resolve(header.address)
        })
      } catch (error) {
        settle(() => reject(error))
      }
    }
    stream.on('data', onData).on('close', onClose)
  })
}
