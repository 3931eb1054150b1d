import { isDeepStrictEqual } from 'node:util'
import { type Confirmation, Profile, type Resource, User } from '@sallyport/contract'
import type { Domain } from '../../kernel/domain.ts'
import type { Context } from '../../kernel/context.ts'
import type { DomainEvent } from '../../kernel/events.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Gatekeeper } from '../../kernel/http/access.ts'
import type { Directory } from '../directory/index.ts'
import type { Notifications } from '../notifications/index.ts'
import type { Orgs } from '../orgs/index.ts'
import type { Rbac } from '../rbac/index.ts'
import type { Licensing } from '../license/index.ts'
import type { Settings } from '../settings/index.ts'
import type { Tickets } from '../tickets/index.ts'
import { dropPasswordLinks, forgetExpired } from '../users/index.ts'
import { accessKeyServed } from './tokens/access-keys.ts'
import { captchaRoutes } from './captcha/routes.ts'
import { createRegistrar, loadBootstrapToken, registration, type Registrar } from './components.ts'
import { checkConfirmed, confirmation } from './confirm.ts'
import { createGatekeeper, endedChannel } from './gatekeeper.ts'
import { createIdentities } from './identities.ts'
import { mfaCalls } from './mfa/mfa-calls.ts'
import { dropRecoveryCodes } from './mfa/otp.ts'
import { passwordRoutes } from './password-reset.ts'
import { passkeyCalls } from './passkeys/passkey-calls.ts'
import { dropPasskeys } from './passkeys/passkeys.ts'
import { tokensServed } from './resources.ts'
import { signInRoutes } from './routes.ts'
import { loginConfirmCalls, ticketType } from './steps/review.ts'
import { signInCalls } from './sign-in-calls.ts'
import { endSignIns, forgetEnded } from './sessions.ts'
import { tempTokenServed } from './tokens/temp-tokens.ts'
import { userSessions } from './user-sessions.ts'

export type { Component, Registrar } from './components.ts'
export { loginConfirmKind } from './steps/review.ts'
export { assetLoginConfirmKind } from './tokens/asset-approval.ts'
export { grantOf } from './tokens/token-secret.ts'

export interface AuthenticationServices extends Pick<
  Ground,
  'config' | 'database' | 'live' | 'log' | 'secrets'
> {
  notifications: Notifications
  directory: Directory
  orgs: Orgs
  rbac: Rbac
  settings: Settings
  tickets: Tickets
  licensing: Licensing
}

export interface Authentication {
  gatekeeper: Gatekeeper
  /** Gives components their accounts. */
  registrar: Registrar
  /** @throws ApiError 400 unless the caller has just confirmed who they are. */
  checkConfirmed: (ctx: Context, type: Confirmation) => Promise<void>
  domain: Domain
}

const cleanEveryMs = 600_000

/** Whose sign-ins end with this event. Those of somebody who may come back do, too: what was opened before is not revived. */
function endedBy(ctx: Context, event: DomainEvent): { userId: string; keptSessionId?: string } | undefined {
  if (event.type === 'happened' && event.name === 'password_changed') {
    const isOwn = event.data.user_id === ctx.identity?.id
    const kept = isOwn ? ctx.identity?.sessionId : undefined
    return { userId: event.data.user_id, ...(kept !== undefined && { keptSessionId: kept }) }
  }
  if (event.type === 'happened' || event.resource !== User) return undefined
  // What they have open is on no row that goes with theirs.
  if (event.type === 'deleted') return { userId: event.id }
  if (event.type !== 'updated') return undefined
  const isSame = (name: string) => event.before?.[name] === event.after?.[name]
  // Who signs in elsewhere from now on has not done so yet.
  const isKept = isSame('source') && isSame('is_valid') && event.after?.['is_valid'] === true
  return isKept ? undefined : { userId: event.id }
}

const endsSignIns = (event: DomainEvent) =>
  event.type === 'happened' && (event.name === 'sign_ins_ended' || event.name === 'browsers_signed_out')

/** A link that was mailed is for the password, the address and the account as they were. */
function endsLinks(event: DomainEvent): string | undefined {
  if (event.type === 'happened') return event.name === 'password_changed' ? event.data.user_id : undefined
  return personChanged(event, [User], ['email', 'username', 'source', 'is_active'])
}

/** A code that was sent proves who reads what it was sent to. */
const endsCodes = (event: DomainEvent) => personChanged(event, [User, Profile], ['email', 'phone'])

/** Of whom any of these is another than before. */
function personChanged(
  event: DomainEvent,
  resources: readonly Resource[],
  names: readonly string[],
): string | undefined {
  if (event.type !== 'updated' || !resources.includes(event.resource)) return undefined
  const isSame = names.every((name) => isDeepStrictEqual(event.before?.[name], event.after?.[name]))
  return isSame ? undefined : event.id
}

export async function createAuthentication(services: AuthenticationServices): Promise<Authentication> {
  const {
    config,
    database,
    directory,
    log,
    notifications,
    orgs,
    rbac,
    secrets,
    settings,
    tickets,
    licensing,
  } = services
  const identities = createIdentities(services, rbac, settings)
  const bootstrapToken = await loadBootstrapToken(config.dataDir)
  const registrar = createRegistrar(secrets, rbac)
  const users = { database, secrets, rbac, notifications, tickets, directory, checkConfirmed }
  return {
    gatekeeper: createGatekeeper({
      orgs,
      rbac,
      identities,
      database,
      live: services.live,
      secrets,
      settings,
      licensing,
      bootstrapToken,
      checkConfirmed,
    }),
    registrar,
    checkConfirmed,
    domain: {
      name: 'authentication',
      resources: [
        accessKeyServed(identities, secrets),
        tempTokenServed(secrets),
        ...tokensServed({ config, secrets, tickets, notifications }),
      ],
      services: [
        confirmation(users),
        registration(registrar),
        mfaCalls(users),
        passkeyCalls(secrets),
        signInCalls(users),
        loginConfirmCalls(users),
        userSessions,
      ],
      routes: [...signInRoutes(users), ...passwordRoutes(users), ...captchaRoutes(secrets)],
      onRecord: async (ctx, events) => {
        // Before sockets are told: one that is let in meanwhile looks whether its sign-in has ended.
        if (events.some(endsSignIns)) await identities.changed(ctx.db)
        const ended = events.flatMap((event) => endedBy(ctx, event) ?? [])
        for (const { userId, keptSessionId } of ended) {
          await endSignIns(ctx, userId, keptSessionId)
          await tickets.closeOf(ctx.db, userId, ticketType)
        }
        await dropPasswordLinks(
          ctx.db,
          events.flatMap((event) => endsLinks(event) ?? []),
        )
        await notifications.codes.drop(
          ctx.db,
          events.flatMap((event) => endsCodes(event) ?? []),
        )
        for (const event of events)
          if (event.type === 'happened' && event.name === 'mfa_changed' && event.data.change === 'reset') {
            await dropRecoveryCodes(ctx.db, event.data.user_id)
            await dropPasskeys(ctx.db, event.data.user_id)
          }
      },
      onCommitted: async (_ctx, event) => {
        if (endsSignIns(event)) await services.live.publish(endedChannel, event.data)
      },
      start: () => {
        const clean = async () => {
          await forgetEnded(database.db)
          await forgetExpired(database.db)
        }
        const timer = setInterval(() => {
          clean().catch((error: unknown) =>
            log.error({ err: error }, 'ended sign-ins could not be cleaned up'),
          )
        }, cleanEveryMs)
        timer.unref()
        return Promise.resolve(() => {
          clearInterval(timer)
          return Promise.resolve()
        })
      },
    },
  }
}
