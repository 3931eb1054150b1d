/**
 * The transport of packages/ssh by itself: sealing and opening packets of bulk data, and exchanging keys as a server, beside OpenSSH's.
 * Both servers are asked by the same client; what counts is the processor time they took.
 */
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { protectionOf } from '@sallyport/ssh/packets/ciphers'
import { release } from '@sallyport/ssh/packets/memory'
import { PacketReader } from '@sallyport/ssh/packets/packet-reader'
import { PacketWriter } from '@sallyport/ssh/packets/packet-writer'
import { startSshd } from '@sallyport/ssh/testing/sshd'
import { defaultAlgorithms } from '@sallyport/ssh/transport/algorithms'
import { Transport } from '@sallyport/ssh/transport/transport'
import { type Bench, type Figure, plain, round, versus } from './figure.ts'

const dataBytes = 32 * 1024
/** Sealed one after the other, then opened: as much as goes to a socket at once. */
const batch = 8
const batches = 1500
const readBytes = 64 * 1024
const handshakes = 150
const tickMs = 10

/** Megabytes a second of processor time: of sealing, and of opening what comes in pieces as a socket reads them. */
function bulk(cipher: string, mac?: string): Figure {
  const protection = protectionOf(cipher, mac)
  const keys = () => ({
    iv: Buffer.alloc(protection.ivBytes),
    key: Buffer.alloc(protection.keyBytes, 1),
    macKey: Buffer.alloc(protection.macKeyBytes),
  })
  const stage = Buffer.allocUnsafeSlow(batch * (dataBytes + 256))
  let used = 0
  const writer = new PacketWriter({
    write(bytes) {
      stage.set(bytes, used)
      used += bytes.length
    },
  })
  writer.sealer = protection.sealer(keys())
  const reader = new PacketReader(dataBytes * 2)
  reader.opener = protection.opener(keys())
  const parts = [Buffer.alloc(9), randomBytes(dataBytes)]
  const [seal, open] = [new Stopwatch(), new Stopwatch()]
  for (let count = -batches / 10; count < batches; count++) {
    used = 0
    seal.time(count >= 0, () => {
      for (let packet = 0; packet < batch; packet++) writer.write(parts, dataBytes + 9)
    })
    open.time(count >= 0, () => {
      for (let at = 0; at < used; at += readBytes) {
        const input = { bytes: stage.subarray(at, Math.min(used, at + readBytes)), at: 0 }
        for (let payload = reader.next(input); payload; payload = reader.next(input)) release(payload)
      }
    })
  }
  const rate = (watch: Stopwatch) => round((batches * batch * dataBytes) / watch.micros)
  return plain(`SSH packets of 32 KiB: ${cipher}`, `${rate(seal)} MB/s sealed, ${rate(open)} opened`)
}

class Stopwatch {
  micros = 0

  time(isCounted: boolean, run: () => void): void {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    if (isCounted) this.micros += user + system
  }
}

async function shake(port: number, kex: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const transport = new Transport(socket, {
    role: 'client',
    ident: 'SSH-2.0-Bench',
    algorithms: { ...defaultAlgorithms, kex: [kex] },
    verifyHostKey: () => {},
  })
  await transport.ready
  const ended = once(socket, 'close')
  transport.disconnect('byApplication', 'enough')
  await ended
}

/** Handshakes a second of processor time that `taken` tells in milliseconds. */
async function rateOf(port: number, kex: string, taken: () => Promise<number>): Promise<number> {
  for (let count = 0; count < handshakes; count++) await shake(port, kex)
  const before = await taken()
  for (let count = 0; count < handshakes; count++) await shake(port, kex)
  return (handshakes * 1000) / ((await taken()) - before)
}

async function ourServer() {
  const child = fork(fileURLToPath(new URL('ssh-handshake-server.ts', import.meta.url)))
  const [address] = (await once(child, 'message')) as [{ port: number }]
  const taken = async () => {
    child.send('taken')
    const [ms] = (await once(child, 'message')) as [number]
    return ms
  }
  return { port: address.port, taken, stop: () => child.kill() }
}

/** Of a process and of those it waited for. */
async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * tickMs
}

async function run(): Promise<Figure[]> {
  const figures = [
    bulk('aes128-gcm@openssh.com'),
    bulk('aes128-ctr', 'hmac-sha2-256-etm@openssh.com'),
    bulk('chacha20-poly1305@openssh.com'),
  ]
  const ours = await ourServer()
  const sshd = await startSshd()
  try {
    const peer = await rateOf(sshd.port, 'curve25519-sha256', () => processorMs(sshd.pid))
    for (const kex of ['mlkem768x25519-sha256', 'sntrup761x25519-sha512@openssh.com', 'curve25519-sha256']) {
      const rate = await rateOf(ours.port, kex, ours.taken)
      figures.push(
        versus(`SSH handshakes a second on one core, ${kex}`, rate, peer, '/s', 'sshd, curve25519', 1),
      )
    }
  } finally {
    ours.stop()
    await sshd.stop()
  }
  return figures
}

const bench: Bench = { name: 'ssh-transport', run }
export default bench
