import { signInPages } from '@sallyport/contract/addresses'
import { type OfferedOrg, Profile } from '@sallyport/contract/resources/users'
import { PublicSettings } from '@sallyport/contract/resources/settings'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { readCookie, writeCookie } from '../kit/api/cookies.ts'
import { ApiError } from '../kit/api/errors.ts'
import { readOne } from '../kit/api/one.ts'
import { checkSession, watchLogin } from '../kit/session/login-watch.ts'
import { keepSessionCookie } from '../kit/session/session-cookie.ts'
import { applyInterface } from '../kit/theme/interface.ts'

export type Organization = OfferedOrg

export interface Person {
  profile: Profile
  settings: PublicSettings
}

const organizationCookie = 'X-JMS-LUNA-ORG'
const consoleOrganizationCookie = 'X-JMS-ORG'

const organizationParameter = 'oid'

/** The organization of calls: that of the address, the one chosen here, the console's. */
export const currentOrganizationId = () =>
  new URLSearchParams(location.search).get(organizationParameter) ??
  readCookie(organizationCookie) ??
  readCookie(consoleOrganizationCookie)

/** Chooses the organization whose assets are shown, and starts the page anew in it. */
export function chooseOrganization(id: string) {
  writeCookie(organizationCookie, id)
  const address = new URL(location.href)
  address.searchParams.delete(organizationParameter)
  location.replace(address)
}

const here = () => encodeURIComponent(location.pathname + location.search)

/** The login page, which leads back here. */
export const signInHere = () => `${signInPages.signIn}?next=${here()}`

export const leaveForSignIn = () => location.replace(signInHere())

/** The console's page of the first login, before which nothing opens here either; it leads back here. */
export const leaveForFirstLogin = () => location.replace(`/ui/profile/improvement?next=${here()}`)

const keepAliveMs = 60_000

async function loadPerson(): Promise<Person | 'signed_out'> {
  try {
    const [profile, settings] = await Promise.all([readOne(Profile), readOne(PublicSettings)])
    keepSessionCookie()
    applyInterface(settings.INTERFACE)
    watchLogin(profile.id)
    return { profile, settings }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return 'signed_out'
    throw error
  }
}

/** Who is here. Asked once; 'signed_out' when nobody is signed in. */
export const usePersonQuery = () =>
  useQuery({ queryKey: ['person'], queryFn: loadPerson, staleTime: Infinity })

const PersonContext = createContext<Person | undefined>(undefined)

export function PersonProvider({ person, children }: { person: Person; children: ReactNode }) {
  return <PersonContext value={person}>{children}</PersonContext>
}

export function usePerson(): Person {
  const person = useContext(PersonContext)
  if (!person) throw new Error('used outside of PersonProvider')
  return person
}

/** Whether the signed-in person holds a permission in the current organization. */
export const useCan = (permission: string) => usePerson().profile.perms.includes(permission)

/** Keeps the login alive while terminals are open. */
export function useKeepSignedIn(): void {
  useQuery({
    queryKey: ['keep-alive'],
    queryFn: checkSession,
    refetchInterval: keepAliveMs,
    refetchIntervalInBackground: true,
  })
}
