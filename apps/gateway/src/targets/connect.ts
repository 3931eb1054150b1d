import type { TokenSecret } from '@sallyport/contract/gateway/grants'
import type { Language } from '@sallyport/contract/messages/language'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import { targetMessage } from '@sallyport/contract/messages/gateway-targets'
import { ServerAwayError, ServerRefusedError } from '../api/errors.ts'
import type { ShellConnection } from '../traffic/ports.ts'
import { direct } from './dialer.ts'
import { type ConnectOptions, connectSsh, type SshTarget } from './ssh/connect.ts'
import { TargetError } from './ssh/errors.ts'

/** The grant's protocol or secret is of a kind this gateway cannot use. */
class UnusableGrantError extends Error {
  override name = 'UnusableGrantError'
  readonly key: 'protocol_unsupported' | 'secret_missing'
  readonly values: Record<string, string>

  constructor(key: UnusableGrantError['key'], values: Record<string, string>) {
    super(key)
    this.key = key
    this.values = values
  }
}

/** Connects as an exchanged token allows. Rejects with a TargetError, or when the grant cannot be used. */
export async function connectTarget(
  grant: TokenSecret,
  options: Omit<ConnectOptions, 'dialer'>,
): Promise<ShellConnection> {
  if (grant.protocol !== 'ssh') {
    throw new UnusableGrantError('protocol_unsupported', { protocol: grant.protocol })
  }
  const { account, asset } = grant
  if (account.secret === '') throw new UnusableGrantError('secret_missing', { account: account.name })
  const target: SshTarget = {
    asset_id: asset.id,
    address: asset.address,
    port: asset.protocols.find((protocol) => protocol.name === 'ssh')?.port ?? 22,
    username: account.username,
    ...(account.secret_type === 'ssh_key' ? { private_key: account.secret } : { password: account.secret }),
  }
  return connectSsh(target, { dialer: direct, ...options })
}

/** Why connecting failed, for the person. */
export function describeFailure(error: unknown, language: Language): string {
  if (error instanceof TargetError) return targetMessage(language, error.code, error.params)
  if (error instanceof UnusableGrantError) return targetMessage(language, error.key, error.values)
  const isAway = error instanceof ServerAwayError || error instanceof ServerRefusedError
  return isAway ? gatewayMessage(language, 'server_away') : targetMessage(language, 'target_lost', {})
}
