import type { ProbeTarget } from '@sallyport/contract/gateway/probes'
import { ChannelError } from '@sallyport/ssh'
import { TargetError } from '../targets/ssh/errors.ts'
import { type HostKeys, toldHostKeys } from '../targets/ssh/host-keys.ts'
import { logIn } from '../targets/ssh/login.ts'
import type { Way } from './way.ts'

/** Signs in to a gateway of a network zone as sessions do, and has it lead to a port of its own. Throws a TargetError. */
export async function probeGateway(
  {
    asset,
    port,
    leads_to,
    account,
    host_keys,
  }: ProbeTarget & { account: NonNullable<ProbeTarget['account']> },
  { dialer, where, timeoutMs, signal }: Way,
  api: HostKeys,
): Promise<void> {
  const { username, secret, secret_type: type } = account
  const client = await logIn(
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
      channelMs: timeoutMs,
      signal,
    },
  )
  try {
    const channel = await client.openDirect({ host: '127.0.0.1', port: leads_to ?? port })
    channel.destroy()
  } catch (error) {
    const said = error instanceof ChannelError && error.said !== '' ? error.said : 'SSH'
    const params = { where, port: String(leads_to ?? port), said }
    throw new TargetError(
      'gateway_leads_nowhere',
      `${where} leads to no port of its own: ${said}`,
      params,
      error,
    )
  } finally {
    client.end()
  }
}
