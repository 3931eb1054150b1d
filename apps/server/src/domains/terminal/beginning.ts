/** A session as our gateways begin it: granted and put on the books in one go (docs/decisions/0002). */
import type { BodyOf, Session } from '@sallyport/contract'
import { type BegunSessionTold, sessionFacts } from '@sallyport/contract/gateway/books'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { grantOf } from '../authentication/index.ts'
import { holdPerson } from '../users/index.ts'
import { callingTerminal } from './components.ts'
import { acceptedKeys, addressOf } from './host-keys.ts'
import { momentOfBeginning, putOnBooks } from './new-sessions.ts'
import type { TerminalServices } from './services.ts'

type Wanted = BodyOf<(typeof Session)['calls']['begin']>

/** @throws ApiError 400 to who may not connect: then nothing is on the books */
export async function begin(
  ctx: Context,
  services: Pick<TerminalServices, 'secrets' | 'tickets' | 'notifications'>,
  { id, user, asset, account, protocol, type, login_from, remote_addr, date_start, ...wanted }: Wanted,
): Promise<BegunSessionTold> {
  const terminal = await callingTerminal(ctx)
  const connection = {
    userId: user,
    assetId: asset,
    account,
    protocol,
    connectMethod: wanted.connect_method,
    inputUsername: wanted.input_username ?? '',
    inputSecret: wanted.input_secret ?? '',
  }
  const beginning = { sessionId: id, remoteAddr: remote_addr, ticket: wanted.ticket }
  // Who is being removed from the organization is removed first, and not let in, or after this, and the session is ended.
  await holdPerson(ctx.db, user)
  const grant = await grantOf(ctx, services, connection, beginning)
  const facts = sessionFacts(grant, { id, type, login_from, remote_addr, date_start })
  const known = await putOnBooks(ctx, terminal, {
    ...facts,
    date_start: momentOfBeginning(ctx, date_start),
  })
  if (known.is_finished || known.account_id !== facts.account_id) throw invalid('id', 'unique')
  const address = addressOf(grant.asset, protocol)
  return { grant, host_keys: { address, ...(await acceptedKeys(ctx, { asset, address })) } }
}
