import { once } from 'node:events'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect, type TLSSocket } from 'node:tls'
import type { ProbeTarget } from '@sallyport/contract/gateway/probes'
import { TargetError } from '../targets/ssh/errors.ts'

/** Against who only listens: nobody proves who they are. */
export const unchecked = { ca: '', cert: '', key: '', allow_invalid: true }

/** Whether who is at the other end has proven who they are: to nobody else is a password itself told where there is another way. */
export const provesItself = (tls: Encryption['tls'] | null): boolean => tls !== null && !tls.allow_invalid

interface Encryption {
  host: string
  where: string
  tls: NonNullable<ProbeTarget['asset']['tls']>
  signal: AbortSignal
}

/** TLS over a connection. Throws a TargetError where it does not come about, or the certificate is not to be trusted. */
export async function encrypted(
  stream: Duplex,
  { host, where, tls: { ca, cert, key, allow_invalid: allowInvalid }, signal }: Encryption,
): Promise<TLSSocket> {
  let socket: TLSSocket | undefined
  try {
    socket = connect({
      socket: stream,
      // What the certificate has to name; addresses are not asked for by name.
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca && { ca }),
      ...(cert && { cert }),
      ...(key && { key }),
      rejectUnauthorized: !allowInvalid,
    })
    await once(socket, 'secureConnect', { signal })
    return socket
  } catch (error) {
    socket?.destroy()
    if (signal.aborted) throw error
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    const said = typeof code === 'string' ? code : 'TLS'
    throw new TargetError('target_tls_failed', `TLS with ${where} failed`, { where, said }, error)
  }
}
