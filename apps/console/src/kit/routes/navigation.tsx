import { useCallback } from 'react'
import {
  Link as RouterLink,
  type LinkProps,
  type NavigateOptions,
  useLocation,
  useNavigate,
} from 'react-router'

/** The part of an address that names the organization its page belongs to. */
export const organizationParameter = 'oid'

/** An address of this site in the organization that the address `search` is of names, where it names one. */
export function inSameOrganization(to: string, search: string = location.search): string {
  const organization = new URLSearchParams(search).get(organizationParameter)
  if (organization === null) {
    return to
  }
  const [, path = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/u.exec(to) ?? []
  const params = new URLSearchParams(query)
  if (!params.has(organizationParameter)) {
    params.set(organizationParameter, organization)
  }
  return `${path}?${params}${hash}`
}

const nextParameter = 'next'

/** The address `to`, which afterwards leads on to the page `next` of the console. */
export const leadingTo = (to: string, next: string): string =>
  `${to}?${new URLSearchParams({ [nextParameter]: next })}`

/** The page of the console that the address `search` leads on to; what a browser could read as another site is none. */
export function nextPage(search: string = location.search): string | undefined {
  const next = new URLSearchParams(search).get(nextParameter)
  return next !== null && /^\/(?!\/)[^\\\p{Cc}]*$/u.test(next) ? next : undefined
}

/** A link that stays in the organization of the page it is on. */
export function Link({ to, ...props }: Omit<LinkProps, 'to'> & { to: string }) {
  const { search } = useLocation()
  return <RouterLink {...props} to={inSameOrganization(to, search)} />
}

/** Goes to another page of the console, in the organization of the page shown. */
export function useGo(): (to: string, options?: NavigateOptions) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(
    async (to, options) => {
      await navigate(inSameOrganization(to), options)
    },
    [navigate],
  )
}
