/** What people are told of commands: of dangerous ones those who subscribed or are named in the settings, of what a rule warns of or notifies its reviewers. */
import type { BodyOf, Command } from '@sallyport/contract'
import { shortened } from '@sallyport/contract/gateway/commands'
import { alertsAtOnce, toldCommandMax, toldOfSession } from '@sallyport/contract/gateway/reviews'
import type { Context } from '../../kernel/context.ts'
import { tellingRule } from '../acls/index.ts'
import { administratorsOf, countAsked, pageOf } from '../users/index.ts'
import { ownSession } from './components.ts'
import type { TerminalServices } from './services.ts'

type Alert = BodyOf<(typeof Command)['calls']['alert']>[number]

/** @throws ApiError 404, 409 for a session that is not the component's: nobody is told anything then */
export async function alert(
  ctx: Context,
  services: Pick<TerminalServices, 'notifications'>,
  alerts: readonly Alert[],
): Promise<'ok'> {
  for (const one of alerts.slice(0, alertsAtOnce)) await tell(ctx, services, one)
  return 'ok'
}

/** Mail addresses of people who hear of it besides. */
const addressesNamed = ({
  SECURITY_INSECURE_COMMAND: isOn,
  SECURITY_INSECURE_COMMAND_EMAIL_RECEIVER: named,
}: Context['settings']) => (isOn ? named.split(/[\s,;]+/).filter((one) => one !== '') : [])

async function tell(
  ctx: Context,
  { notifications }: Pick<TerminalServices, 'notifications'>,
  { session: id, risk_level, input, cmd_filter_acl }: Alert,
): Promise<void> {
  const session = await ownSession(ctx, id)
  const { most, minutes } = toldOfSession
  if ((await countAsked(ctx.db, 'command_alert', session.id, minutes)) > most) return
  const { user, asset, account, org_id } = session
  const command = shortened(input, toldCommandMax)
  const link = pageOf(ctx, `/ui/#/audit/sessions/sessions/${session.id}?oid=${org_id}`)
  if (risk_level >= ctx.settings.SECURITY_INSECURE_COMMAND_LEVEL)
    await notifications.sendToSubscribers(
      ctx,
      'CommandAlertMessage',
      { command, asset, user, link },
      addressesNamed(ctx.settings),
    )
  const rule = cmd_filter_acl === undefined ? undefined : await tellingRule(ctx.db, org_id, cmd_filter_acl)
  if (rule === undefined) return
  const told = rule.reviewers.length > 0 ? rule.reviewers : await administratorsOf(ctx.db, org_id)
  const params = { command, asset, account, user, rule: rule.name, link }
  await notifications.send(ctx, 'CommandNoticeMsg', told, params)
}
