import type { Facts, ProbeTarget } from '@sallyport/contract/gateway/probes'
import { becoming } from '../targets/ssh/become.ts'
import { connectSsh } from '../targets/ssh/connect.ts'
import { TargetError } from '../targets/ssh/errors.ts'
import { type HostKeys, toldHostKeys } from '../targets/ssh/host-keys.ts'
import type { ShellConnection } from '../traffic/ports.ts'
import { factsCommand, parseFacts } from './facts.ts'
import type { Way } from './way.ts'

/** More than the answer to a handful of questions is none. */
const answerMaxBytes = 64 * 1024

type Account = NonNullable<ProbeTarget['account']>

/**
 * Signs in as a session would, becomes the account where that is switched to from another one, and asks what machine it is where that is
 * wanted. Throws a TargetError.
 */
export async function probeSsh(
  { asset, port, account, host_keys, old_ssh_version: isOld }: ProbeTarget & { account: Account },
  { dialer, where, timeoutMs, signal }: Way,
  api: HostKeys,
  withFacts: boolean,
): Promise<Facts | undefined> {
  const { su_from: from } = account
  const { username, secret, secret_type: type } = from ?? account
  const connection = await connectSsh(
    {
      asset_id: asset.id,
      address: asset.address,
      port,
      username,
      isOld,
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
    const method = account.su_method
    const used =
      from === null
        ? connection
        : becoming(connection, { where, from: typed(from), to: typed(account), method, timeoutMs })
    if (!withFacts) {
      // Whether it can be become is known once something runs as it.
      if (from !== null) await answerOf(used, 'true', where, signal)
      return undefined
    }
    const facts = parseFacts(await answerOf(used, factsCommand, where, signal))
    if (Object.keys(facts).length > 0) return facts
    throw new TargetError('target_said_nothing_usable', `${where} told nothing usable`, { where })
  } finally {
    connection.end()
  }
}

const typed = ({ username, secret, secret_type }: Omit<Account, 'su_from' | 'su_method'>) => ({
  username,
  password: secret_type === 'password' ? secret : undefined,
})

/** What a command prints, as far as it is looked at. */
async function answerOf(
  connection: ShellConnection,
  command: string,
  where: string,
  signal: AbortSignal,
): Promise<string> {
  const channel = await connection.exec(command)
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
