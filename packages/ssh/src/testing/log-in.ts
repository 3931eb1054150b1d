import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { ClientAuth, type AuthMethod } from '../auth/client-auth.ts'
import type { ClientSession } from '../channels/client-session.ts'
import { connect, type Client, type ConnectOptions } from '../client.ts'
import { Transport } from '../transport/transport.ts'

/** Patient; whatever host key is shown will do. */
export const testOptions = {
  ident: 'Test',
  verifyHostKey: () => {},
  loginMs: 20_000,
  replyMs: 20_000,
  keepaliveMs: 20_000,
}

export interface Login {
  /** Of 127.0.0.1. */
  port: number
  username: string
  methods: AuthMethod[]
}

export async function dialLocally(port: number): Promise<Socket> {
  const socket = connectTcp({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return socket
}

/** Our client, logged in. */
export async function logIn({ port, ...login }: Login, more: Partial<ConnectOptions> = {}): Promise<Client> {
  return await connect(await dialLocally(port), { ...testOptions, ...login, ...more })
}

/** What a command gives, on a session of its own. */
export async function exec(client: Client, command: string): Promise<ClientSession> {
  const session = await client.openSession()
  await session.exec(command)
  return session
}

/** A client that is logged in and says from then on what it likes; `told` is what it is told. */
export async function logInRaw({ port, username, methods }: Login): Promise<RawClient> {
  const socket = await dialLocally(port)
  const transport = new Transport(socket, {
    role: 'client',
    ident: 'SSH-2.0-Raw',
    verifyHostKey: () => {},
  })
  const auth = new ClientAuth(transport, { username, methods })
  const told: Buffer[] = []
  transport.onPacket = (payload) => {
    if (auth.isDone) told.push(payload)
    else auth.take(payload)
  }
  await transport.ready
  await auth.run()
  return { socket, transport, told }
}

export interface RawClient {
  socket: Socket
  transport: Transport
  told: Buffer[]
}
