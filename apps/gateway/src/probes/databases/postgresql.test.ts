/** What a server that says it is PostgreSQL is told before anybody knows who it is. */
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { makeCertificate } from '../../testing/certificate.ts'
import { databaseSecret, probeHere } from '../../testing/database-probe.ts'
import { startListener } from '../../testing/listener.ts'
import type { Database } from './database.ts'
import { probePostgres } from './postgresql.ts'

const certificate = makeCertificate()
const message = (type: string, ...numbers: number[]) =>
  Buffer.from([type.codePointAt(0) ?? 0, 0, 0, 0, 4 + numbers.length, ...numbers])
let heard = ''

/** It asks for the password itself, and takes any. */
function asksForIt(socket: Socket): void {
  socket.once('data', () => {
    socket.write(message('R', 0, 0, 0, 3))
    socket.on('data', (told: Buffer) => {
      heard += told.toString('latin1')
      socket.write(Buffer.concat([message('R', 0, 0, 0, 0), message('Z', 0x49)]))
    })
  })
}
const server = await startListener((socket: Socket) => {
  socket.once('data', (asked: Buffer) => {
    if (asked.byteLength > 8) {
      socket.unshift(asked)
      return asksForIt(socket)
    }
    socket.write('S')
    const secured = new TLSSocket(socket, { isServer: true, secureContext: certificate.context })
    asksForIt(secured.on('error', () => {}))
  })
})
afterAll(() => server.close())

const signIn = async (tls: Database['tls']) => {
  heard = ''
  await probeHere(probePostgres, server.port, tls)
}

test('the password itself is told to nobody whose certificate is not looked at', async () => {
  for (const tls of [null, { ...certificate.authority, allow_invalid: true }]) {
    await expect(signIn(tls)).rejects.toMatchObject({ code: 'target_sign_in_unsupported' })
    expect(heard).toBe('')
  }
})

test('the password itself is told to who shows the certificate the asset names', async () => {
  await signIn(certificate.authority)
  expect(heard).toContain(databaseSecret)
})
