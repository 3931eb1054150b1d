import { listUrl } from '@sallyport/contract'
import type { Domain } from '../domain.ts'

/** What is asked for by a resource's other address is asked for by its own. */
export function aliasesOf(domains: readonly Domain[]): (url: string) => string {
  const all = domains
    .flatMap(({ resources = [], singletons = [] }) => [...resources, ...singletons])
    .flatMap(({ resource }) => {
      if (resource.alias === undefined) return []
      const [path = '', told = ''] = resource.alias.split('?')
      return [{ prefix: `/api/v1/${path}/`.replace('//', '/'), told: told.split('='), to: listUrl(resource) }]
    })
  return (url) => {
    const here = all.filter(({ prefix }) => url.startsWith(prefix))
    const [{ prefix, told: [name = ''], to } = { prefix: '', told: [], to: '' }] = here
    if (name === '') return url.replace(prefix, to)
    const [path, ...rest] = url.split('?')
    const query = rest.join('?')
    const given = new URLSearchParams(query).get(name)
    const meant = here.find(({ told }) => !given || told[1] === given)
    return path === prefix && meant ? `${meant.to}?${query}` : url
  }
}
