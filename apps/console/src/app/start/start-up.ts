import { signInPages } from '@sallyport/contract/addresses'
import { defaultOrgId, systemOrgId } from '@sallyport/contract/constants'
import { OpenSettings, PublicSettings } from '@sallyport/contract/resources/settings'
import { Profile } from '@sallyport/contract/resources/users'
import { redirect } from 'react-router'
import { api, configureApi } from '../../kit/api/client.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { readOne } from '../../kit/api/one.ts'
import { currentSession, setSession, type Session, type ViewName } from '../../kit/session/session.ts'
import type { Organization } from '../../kit/session/types.ts'
import { assetCategories } from '../../views/console/assets/use-categories.ts'
import { base, signInAddress } from '../addresses.ts'
import { queryClient } from '../query-client.ts'
import { applyInterface } from '../../kit/theme/interface.ts'
import { noteAnswer } from './keep-alive.ts'
import {
  chooseOrganization,
  organizationsOf,
  requestOrganizationId,
  wantedOrganizationId,
} from './organizations.ts'
import { leadingTo, organizationParameter } from '../../kit/routes/navigation.tsx'
import { hasSessionCookie, keepSessionCookie } from '../../kit/session/session-cookie.ts'
import { endSession } from '../../kit/session/login-state.ts'
import { watchLogin } from '../../kit/session/login-watch.ts'
import {
  lastOrganizationId,
  previousView,
  rememberedOrganizationId,
  rememberOrganization,
  rememberView,
} from './storage.ts'
import { fallbackView, isSwitchable, mayEnter, startView, viewOfPath } from './views.ts'

const signInDelayMs = 100
const improvementPath = '/profile/improvement'

/** The organization calls run in, before and after there is a session. The server, too, takes the default one where none is named. */
let organizationId = lastOrganizationId() ?? defaultOrgId
/** The organization the address named when the session was made. */
let namedId: string | null = null
let extended = true
let isStale = false

configureApi({
  organizationId: () => requestOrganizationId(organizationId, extended),
  onUnauthorized: endSession,
  onAnswer: noteAnswer,
})

/**
 * Makes the session for an address (below /ui). Calls are sent and answers looked at in the order the specification
 * sets, but no call waits for the answer before it. Nothing happens when the session stands already and the address lies
 * in the same view and names the same organization. Throws a redirect to another page, or the error to show; a
 * navigation that another one has overtaken changes nothing.
 */
export async function startUp({ pathname, search }: URL, navigation: AbortSignal): Promise<void> {
  const path = pathname.slice(base.length)
  const view = viewOfPath(path)
  const named = new URLSearchParams(search).get(organizationParameter)
  const running = currentSession()
  const isSameView = view === undefined || view === running?.view
  if (running !== null && !isStale && isSameView && named === namedId) {
    completeFirst(running.profile, path, search)
    return
  }

  const opening = early(readOne(OpenSettings))
  // What stands in for the organization of the system is known only then.
  if (organizationId === systemOrgId) extended = (await opening).XPACK_ENABLED
  const asked = hasSessionCookie()
    ? {
        profile: early(readOne(Profile, { silent: true })),
        settings: early(readOne(PublicSettings, { silent: true })),
      }
    : undefined

  const open = await opening
  extended = open.XPACK_ENABLED
  applyInterface(open.INTERFACE)

  if (asked === undefined) {
    await api.raw(signInPages.signOut)
    return goToSignIn()
  }
  keepSessionCookie()
  const profile = await answered(asked.profile)
  const settings = await asked.settings
  applyInterface(settings.INTERFACE)

  const entered = checkView(view, profile)
  const session = await checkOrganization({ profile, settings, view: entered }, named)
  navigation.throwIfAborted()
  isStale = false
  namedId = named
  setSession(session)
  watchLogin(session.profile.id)

  completeFirst(session.profile, path, search)
  void queryClient.prefetchQuery(assetCategories)
}

/** Until a person has been through the page of the first login, every address leads there, and from there on to itself. */
function completeFirst(profile: Profile, path: string, search: string): void {
  if (profile.is_first_login && path !== improvementPath)
    throw redirect(leadingTo(improvementPath, `${path}${search}`))
}

/** Who calls could not be found out, for another reason than that nobody is signed in. */
export class VerificationFailed extends Error {
  constructor(cause: unknown) {
    super('The profile could not be loaded', { cause })
    this.name = 'VerificationFailed'
  }
}

async function answered(asked: Promise<Profile>): Promise<Profile> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 403)) {
      return goToSignIn()
    }
    throw new VerificationFailed(error)
  }
}

/** An answer that is on its way while others are looked at first; what went wrong is told to whoever comes to wait for it. */
function early<T>(answer: Promise<T>): Promise<T> {
  answer.catch(() => undefined)
  return answer
}

/** Leaves for the sign-in page; what waits for the answer waits until the page is gone. */
function goToSignIn(): Promise<never> {
  setTimeout(() => location.replace(signInAddress()), signInDelayMs)
  return new Promise(() => undefined)
}

function checkView(view: ViewName | undefined, profile: Profile): ViewName {
  if (view === undefined) return startView(profile, previousView())
  if (mayEnter(view, profile)) {
    if (isSwitchable(view)) rememberView(view)
    return view
  }
  throw redirect(`/${fallbackView(profile, previousView())}`)
}

/**
 * Rights depend on the organization: when another one must be chosen, the profile is asked for again in it. The one
 * the address names counts for this page alone, and that of the settings as long as they are shown: neither is
 * remembered, so that who leaves is again where he was.
 */
async function checkOrganization(
  found: Pick<Session, 'profile' | 'settings' | 'view'>,
  named: string | null,
): Promise<Session> {
  const { profile, settings, view } = found
  const organizations = organizationsOf(profile, view)
  const wantedId = wantedOrganizationId({
    named,
    used: rememberedOrganizationId(profile.username) ?? organizationId,
    isLicensed: settings.XPACK_LICENSE_IS_VALID,
  })
  const organization = chooseOrganization(organizations, wantedId)
  if (organization === undefined) {
    return { ...found, organizations, organization: null }
  }
  const changed = organization.id !== organizationId
  if (organization.id === named || view === 'settings') {
    organizationId = organization.id
  } else {
    enterOrganization(profile.username, organization)
  }
  if (!changed) return { ...found, organizations, organization }
  queryClient.clear()
  return { ...found, profile: await readOne(Profile), organizations, organization }
}

/** All further calls run in this organization. */
export function enterOrganization(username: string, organization: Organization): void {
  organizationId = organization.id
  rememberOrganization(username, organization)
}

/** The next navigation starts up anew; until then the page goes on with the session it has. */
export function resetStartUp(): void {
  isStale = true
}
