import { allowsOldSsh } from '@sallyport/contract/assets/protocols'
import type { Grant } from '@sallyport/contract/gateway/grants'
import type { Language } from '@sallyport/contract/messages/language'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import { targetMessage } from '@sallyport/contract/messages/gateway-targets'
import { isServerTrouble } from '../api/errors.ts'
import type { ShellConnection } from '../traffic/ports.ts'
import { becoming, type Becoming } from './ssh/become.ts'
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
  const signIn = account.su_from ?? account
  if (signIn.secret === '') {
    throw new TargetError('secret_missing', 'The account has no secret', { account: signIn.name })
  }
  const target = { ...sshTargetOf(asset, signIn), isOld: allowsOldSsh(grant.platform.protocols) }
  const connection = await connectSsh(target, options)
  return account.su_from === null ? connection : becoming(connection, switchOf(grant, account.su_from))
}

type Account = Pick<Grant['account'], 'username' | 'secret' | 'secret_type'>

function switchOf({ account, asset, platform }: Grant, from: Account): Becoming {
  const typed = ({ username, secret, secret_type }: Account) => ({
    username,
    password: secret_type === 'password' ? secret : undefined,
  })
  return { where: asset.name, from: typed(from), to: typed(account), method: platform.su_method ?? 'su' }
}

/** Why connecting failed, for the person. */
export function describeFailure(error: unknown, language: Language): string {
  if (error instanceof TargetError) return error.sentence(language)
  return isServerTrouble(error)
    ? gatewayMessage(language, 'server_away')
    : targetMessage(language, 'target_unusable')
}
