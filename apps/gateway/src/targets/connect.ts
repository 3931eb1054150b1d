import type { Grant } from '@sallyport/contract/gateway/grants'
import type { Language } from '@sallyport/contract/messages/language'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import { targetMessage } from '@sallyport/contract/messages/gateway-targets'
import { ServerAwayError, ServerRefusedError } from '../api/errors.ts'
import type { ShellConnection } from '../traffic/ports.ts'
import { connectSsh } from './ssh/connect.ts'
import { TargetError } from './ssh/errors.ts'
import { type LoginOptions, sshTargetOf } from './ssh/login.ts'

/** Connects as an exchanged token allows. Rejects with a TargetError, also where it can't be used here. */
export async function connectTarget(grant: Grant, options: LoginOptions): Promise<ShellConnection> {
  if (grant.protocol !== 'ssh') {
    const { protocol } = grant
    throw new TargetError('protocol_unsupported', `${protocol} is not spoken here`, { protocol })
  }
  const { account, asset } = grant
  if (account.secret === '') {
    throw new TargetError('secret_missing', 'The account has no secret', { account: account.name })
  }
  return connectSsh(sshTargetOf(asset, account), options)
}

/** Why connecting failed, for the person. */
export function describeFailure(error: unknown, language: Language): string {
  if (error instanceof TargetError) return error.sentence(language)
  const isAway = error instanceof ServerAwayError || error instanceof ServerRefusedError
  return isAway ? gatewayMessage(language, 'server_away') : targetMessage(language, 'target_unusable')
}
