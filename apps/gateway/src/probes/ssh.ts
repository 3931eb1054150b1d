import type { Facts, ProbeTarget } from '@sallyport/contract/gateway/probes'
import { connectSsh } from '../targets/ssh/connect.ts'
import { TargetError } from '../targets/ssh/errors.ts'
import { type HostKeys, toldHostKeys } from '../targets/ssh/host-keys.ts'
import type { ShellConnection } from '../traffic/ports.ts'
import { factsCommand, parseFacts } from './facts.ts'
import type { Way } from './way.ts'

/** More than the answer to a handful of questions is none. */
const answerMaxBytes = 64 * 1024

/** Signs in as a session would, and asks what machine it is where that is wanted. Throws a TargetError. */
export async function probeSsh(
  { asset, port, account, host_keys }: ProbeTarget & { account: NonNullable<ProbeTarget['account']> },
  { dialer, where, timeoutMs, signal }: Way,
  api: HostKeys,
  withFacts: boolean,
): Promise<Facts | undefined> {
  const { username, secret, secret_type: type } = account
  const connection = await connectSsh(
    {
      asset_id: asset.id,
      address: asset.address,
      port,
      username,
      ...(type === 'ssh_key' ? { private_key: secret } : { password: secret }),
    },
    {
      dialer,
      hostKeys: toldHostKeys(api, { ...host_keys, atMs: performance.now() }),
      timeoutMs,
      signal,
    },
  )
  try {
    if (!withFacts) return undefined
    const facts = parseFacts(await answerOf(connection, where, signal))
    if (Object.keys(facts).length > 0) return facts
    throw new TargetError('target_said_nothing_usable', `${where} told nothing usable`, { where })
  } finally {
    connection.end()
  }
}

/** What the command prints, as far as it is looked at. */
async function answerOf(connection: ShellConnection, where: string, signal: AbortSignal): Promise<string> {
  const channel = await connection.exec(factsCommand)
  const end = () => channel.destroy()
  signal.addEventListener('abort', end, { once: true })
  const parts: Buffer[] = []
  let bytes = 0
  try {
    channel.stderr?.resume()
    channel.stdin.end()
    for await (const part of channel.stdout as AsyncIterable<Buffer>) {
      bytes += part.byteLength
      // The memory of a part is used again.
      parts.push(Buffer.from(part))
      if (bytes > answerMaxBytes) break
    }
    signal.throwIfAborted()
    return Buffer.concat(parts).subarray(0, answerMaxBytes).toString('utf8')
  } catch (error) {
    if (!signal.aborted) throw error
    throw new TargetError('target_probe_late', `${where} took too long`, { where }, error)
  } finally {
    signal.removeEventListener('abort', end)
    channel.destroy()
  }
}
