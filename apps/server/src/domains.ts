/** Which domains there are and what each is given of the others. */
import type { Context } from './kernel/context.ts'
import type { Domain } from './kernel/domain.ts'
import { originOf } from './kernel/supervised.ts'
import type { Ground } from './kernel/ground.ts'
import type { Gatekeeper } from './kernel/http/access.ts'
import * as accounts from './domains/accounts/index.ts'
import * as acls from './domains/acls/index.ts'
import * as assets from './domains/assets/index.ts'
import * as audits from './domains/audits/index.ts'
import {
  assetLoginConfirmKind,
  createAuthentication,
  loginConfirmKind,
} from './domains/authentication/index.ts'
import * as directories from './domains/directory/index.ts'
import * as license from './domains/license/index.ts'
import * as notifications from './domains/notifications/index.ts'
import * as ops from './domains/ops/index.ts'
import * as orgs from './domains/orgs/index.ts'
import * as perms from './domains/perms/index.ts'
import * as probes from './domains/probes/index.ts'
import * as rbac from './domains/rbac/index.ts'
import * as settings from './domains/settings/index.ts'
import * as sms from './domains/sms/index.ts'
import * as terminal from './domains/terminal/index.ts'
import * as tickets from './domains/tickets/index.ts'
import * as users from './domains/users/index.ts'

export interface Domains {
  /** In the order in which their built-in rows can be put in place. */
  list: readonly Domain[]
  gatekeeper: Gatekeeper
  /** The first administrator's, when it was generated at this start; known once the domains are seeded. */
  firstPassword(): string | undefined
}

export async function createDomains(ground: Ground): Promise<Domains> {
  // Where the site is reached as long as nobody says otherwise: by what it listens on, never by what a request names as its host.
  const settingValues = settings.createSettings(ground, { SITE_URL: originOf(ground.config.http) })
  const licensing = license.createLicensing(ground.config)
  const licensedTo: settings.LicensedTo = (ctx) => {
    const licence = licensing.valid(ctx.settings)
    return licence && license.toldIn(ctx.language, licence).corporation
  }
  const organizations = orgs.createOrgs(ground, settingValues)
  const roles = rbac.createRbac(ground, organizations)
  const messages = notifications.createNotifications(ground, settingValues)
  const shared = {
    ...ground,
    settings: settingValues,
    licensing,
    orgs: organizations,
    rbac: roles,
    notifications: messages,
    tickets: tickets.createTickets(messages),
  }
  const directory: directories.DirectoryServices = {
    ...shared,
    // What is done to users may ask who does it to say so again, which may ask the directory.
    storeFound: (...people) => users.storeFound(withUsers)(...people),
  }
  const authentication = await createAuthentication({
    ...shared,
    directory: directories.createDirectory(directory),
  })
  const withUsers = { ...shared, checkConfirmed: authentication.checkConfirmed }
  const people = users.domain(withUsers)
  const confirmed = (ctx: Context) => authentication.checkConfirmed(ctx, 'mfa')
  let firstPassword: string | undefined
  const others: Domain[] = [
    rbac.domain(ground, {
      rbac: roles,
      person: users.person,
      userRows: () => users.userServed(withUsers),
      keepAnAdministrator: users.keepAnAdministrator,
    }),
    {
      ...people,
      seed: async () => {
        firstPassword = await users.seedAdministrator(withUsers, ground.config.adminPassword)
      },
    },
    authentication.domain,
    directories.domain(directory, confirmed),
    sms.domain(settingValues, confirmed),
    acls.domain(shared),
    audits.domain(users.members),
    assets.domain(ground, accounts.accountsOfAssets(ground, confirmed)),
    accounts.domain(ground, confirmed),
    perms.domain(withUsers),
    terminal.domain({ ...shared, registrar: authentication.registrar }),
    probes.domain(ground),
    ops.domain(ground),
    tickets.domain(ground, {
      send: messages.send,
      kinds: [
        loginConfirmKind,
        assetLoginConfirmKind(shared.tickets),
        acls.commandConfirmKind(shared.tickets),
      ],
      tellComponent: (db, component, ticket) => terminal.orderReview(db, ground.live, component, ticket),
    }),
    notifications.domain(ground, messages, settingValues),
    license.domain({ settings: settingValues, licensing, countAssets: assets.countAssets }),
  ]
  return {
    gatekeeper: authentication.gatekeeper,
    firstPassword: () => firstPassword,
    list: [
      settings.domain(settingValues, licensedTo, confirmed),
      orgs.domain(
        ground,
        organizations,
        others.flatMap(({ resources = [] }) => resources),
        users.members.ids,
      ),
      ...others,
    ],
  }
}
