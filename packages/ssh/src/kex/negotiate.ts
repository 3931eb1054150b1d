import { needsMac } from '../packets/ciphers.ts'
import { NoCommonAlgorithmError } from '../wire/errors.ts'
import type { Proposal } from './kex-init.ts'
import { kexMethods } from './methods.ts'

/** What both sides will use. There is no MAC where the cipher authenticates by itself. */
export interface Agreement {
  kex: string
  hostKey: string
  toServer: { cipher: string; mac?: string }
  toClient: { cipher: string; mac?: string }
  /** The peer sent a first message for other algorithms than these: it has to be skipped (RFC 4253, 7). */
  isGuessWrong: boolean
}

/** In the list of methods of key exchange; none of them is one. */
export const extInfoNames = { client: 'ext-info-c', server: 'ext-info-s' } as const
/** OpenSSH's PROTOCOL, 1.10: sequence numbers begin anew with each keys, and nothing stands between the messages of the first exchange. */
export const strictNames = {
  client: 'kex-strict-c-v00@openssh.com',
  server: 'kex-strict-s-v00@openssh.com',
} as const

/** RFC 4253, 7.1: of each list the client's first that the server has too. Throws when there is none. */
export function negotiate(client: Proposal, server: Proposal, peerRole: 'client' | 'server'): Agreement {
  const kex = firstCommon(
    client.kex.filter((name) => kexMethods.has(name)),
    server.kex,
    'key exchange method',
  )
  const hostKey = firstCommon(client.hostKey, server.hostKey, 'host key algorithm')
  const direction = (which: 'ToServer' | 'ToClient') => {
    firstCommon(client[`compression${which}`], server[`compression${which}`], 'compression')
    const cipher = firstCommon(client[`cipher${which}`], server[`cipher${which}`], 'cipher')
    if (!needsMac(cipher)) return { cipher }
    return { cipher, mac: firstCommon(client[`mac${which}`], server[`mac${which}`], 'MAC') }
  }
  const peer = peerRole === 'client' ? client : server
  return {
    kex,
    hostKey,
    toServer: direction('ToServer'),
    toClient: direction('ToClient'),
    isGuessWrong:
      peer.isGuessing && (client.kex[0] !== server.kex[0] || client.hostKey[0] !== server.hostKey[0]),
  }
}

function firstCommon(client: readonly string[], server: readonly string[], what: string): string {
  const common = client.find((name) => server.includes(name))
  if (common === undefined) throw new NoCommonAlgorithmError(`There is no ${what} both sides know`)
  return common
}
