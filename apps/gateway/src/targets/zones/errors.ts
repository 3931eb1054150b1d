import type { Language } from '@sallyport/contract/messages/language'
import { type TargetMessage, targetMessage } from '@sallyport/contract/messages/gateway-targets'
import { ChannelError } from '@sallyport/ssh'
import { TargetError } from '../ssh/errors.ts'

/** A gateway as it is told of. */
export interface NamedGateway {
  gateway: string
  zone: string
}

/** A gateway that cannot be signed in to, and why, as a target could not. */
export class UnusableGatewayError extends TargetError<'zone_gateway_failed'> {
  readonly #named: NamedGateway
  readonly why: TargetError

  constructor(named: NamedGateway, why: TargetError) {
    const { gateway, zone } = named
    const message = `The gateway ${gateway} of the zone ${zone} can not be used: ${why.message}`
    super('zone_gateway_failed', message, { ...named, reason: why.message }, why)
    this.#named = named
    this.why = why
  }

  override sentence(language: Language): string {
    const params = { ...this.#named, reason: this.why.sentence(language) }
    return targetMessage(language, 'zone_gateway_failed', params)
  }
}

export const withoutAccount = (named: NamedGateway): TargetError =>
  new TargetError(
    'zone_gateway_without_account',
    `The gateway ${named.gateway} of the zone ${named.zone} has no account with a password or key`,
    { ...named },
  )

export const gatewayLost = (named: NamedGateway, cause: Error | undefined): TargetError =>
  new TargetError(
    'zone_gateway_lost',
    `The connection to the gateway ${named.gateway} of the zone ${named.zone} ended: ${cause?.message ?? 'it closed it'}`,
    { ...named },
    cause,
  )

/** Why a gateway that is signed in to does not lead on to `where`. */
export function noWayOn(named: NamedGateway, where: string, error: unknown): TargetError {
  const isRefused = error instanceof ChannelError && error.reason === 'administrativelyProhibited'
  const code = isRefused ? 'zone_gateway_refuses' : 'zone_target_unreachable'
  const said = error instanceof ChannelError && error.said !== '' ? error.said : String(error)
  const message = `The gateway ${named.gateway} of the zone ${named.zone} does not lead to ${where}: ${said}`
  return new TargetError(code, message, { ...named, where }, error)
}

export const withoutGateway = (zone: string, where: string): TargetError =>
  new TargetError('zone_without_gateway', `The zone ${zone} has no gateway that is in use`, { zone, where })

const hostKeyCodes: readonly TargetMessage[] = ['target_host_key_changed', 'target_host_key_refused']
const isAboutHostKey = (error: TargetError) =>
  error instanceof UnusableGatewayError && hostKeyCodes.includes(error.why.code)

/**
 * What is told when no gateway of a zone led to `where`: of one, what was wrong with it. Where one shows another host key, that is told,
 * whatever else there was: somebody may be listening in.
 */
export function allFailed(zone: string, where: string, failures: readonly TargetError[]): TargetError {
  const [first] = failures
  const told = failures.length === 1 ? first : failures.find(isAboutHostKey)
  if (told) return told
  const message = `No gateway of the zone ${zone} leads to ${where}: ${failures.map((one) => one.message).join('; ')}`
  return new TargetError('zone_unreachable', message, { zone, where }, new AggregateError(failures))
}
