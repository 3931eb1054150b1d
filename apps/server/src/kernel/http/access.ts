import { componentCalls } from '@sallyport/contract/gateway/calls'
import type { Confirmation, Language, SettingValues } from '@sallyport/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, forbidden } from '../errors.ts'
import type { Context, Identity, Organization } from '../context.ts'
import type { Access } from './route.ts'

/** What the kernel asks the domains: who calls, where, with which rights, under which settings. */
export interface Gatekeeper {
  /**
   * Who sends this request, by Bearer token, signature or session; undefined for nobody.
   * @throws ApiError 401 when credentials are given and wrong.
   */
  authenticate(request: FastifyRequest): Promise<Identity | undefined>
  /** @throws ApiError 403 when an unsafe request of a web session lacks the token of that session. */
  checkCsrf(request: FastifyRequest, identity: Identity): void
  /** The organization named by query, header, cookie or session. */
  organization(request: FastifyRequest, identity: Identity | undefined): Promise<Organization>
  /** Permissions in force for this person in this organization. */
  permissions(identity: Identity, org: Organization): Promise<ReadonlySet<string>>
  /** @throws ApiError 400 with the confirmation as its code unless the caller has confirmed who they are within the time the settings give. */
  checkConfirmed(ctx: Context, needed: Confirmation): Promise<void>
  /** The settings in force. */
  settings(): Promise<SettingValues>
  /** Whether there is a valid licence under these settings. */
  hasLicence(settings: Readonly<SettingValues>): boolean
  /**
   * Hears, on every node, which sign-ins have ended; `missed` when that may not have been heard, now and then while it is not. Answers how
   * to stop.
   */
  onSignInsEnded(
    listener: (hasEnded: (identity: Identity) => boolean) => void,
    missed: () => void,
  ): () => void
  holdsBootstrapToken(request: FastifyRequest): boolean
  orgName(id: string, language: Language): string
  /** Gives a browser that asks for a page what it needs to sign in and to send secrets. */
  greet(request: FastifyRequest, reply: FastifyReply): void
}

/** @throws ApiError 401 or 403 unless the caller may use the route; `call` is its method and address. */
export function admit(access: Access, ctx: Context, call: string, holdsBootstrapToken: () => boolean): void {
  if (access === 'public') return
  if (access === 'bootstrap') {
    if (!holdsBootstrapToken()) throw new ApiError(401, 'authentication_failed')
    return
  }
  const { identity } = ctx
  if (identity === undefined) throw new ApiError(401, 'not_authenticated')
  // Its key lies on another machine, and no role makes it more than what it is for.
  if (identity.isComponent && access !== 'component' && !componentCalls.has(call)) throw forbidden()
  if (access === 'valid_user') return
  if (
    access === 'component'
      ? identity.isComponent
      : access === 'super_admin'
        ? identity.isSuperAdmin
        : access.oneOf.some((permission) => ctx.can(permission))
  )
    return
  throw forbidden()
}
