import { defaultOrgId, isUuid, type Language, orgNames, rootOrgId, systemOrgId } from '@sallyport/contract'
import { createCache } from '../../kernel/cache.ts'
import type { Organization } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { Settings } from '../settings/index.ts'
import { organizations } from './tables.ts'

/** Stored organizations, by id; the root one is not stored. */
interface Directory {
  byId: ReadonlyMap<string, string>
  byName: ReadonlyMap<string, string>
}

export interface Orgs {
  /** The organization a request names by id, name or alias; the default one when it names none or an unknown one. */
  resolve(named: string | undefined): Promise<Organization>
  /** What the root organization is called. */
  rootName(language: Language): Promise<string>
  /** Stored organizations, the default one first, then by name. */
  all(): Promise<Organization[]>
  /** The name of a stored organization, as of the last `resolve`, or of the root one. */
  nameOf(id: string, language: Language): string
  changed(executor: Executor): Promise<void>
}

export const isDefault = (id: string) => id === defaultOrgId

export function createOrgs(ground: Pick<Ground, 'database' | 'live'>, settings: Settings): Orgs {
  const cache = createCache<Directory>(ground, 'orgs', { ttlMs: 60_000, maxEntries: 1 })
  let latest: Directory = { byId: new Map(), byName: new Map() }
  const directory = () =>
    cache.get('all', async (executor) => {
      const rows = await executor
        .select({ id: organizations.id, name: organizations.name })
        .from(organizations)
        .orderBy(organizations.name)
      latest = {
        byId: new Map(rows.map(({ id, name }) => [id, name])),
        byName: new Map(rows.map(({ id, name }) => [name, id])),
      }
      return latest
    })
  const stored = (id: string, name: string): Organization => ({
    id,
    name,
    is_root: false,
    is_default: isDefault(id),
  })
  const rootName = async (language: Language) =>
    (await settings.all()).GLOBAL_ORG_DISPLAY_NAME || orgNames[language].root
  return {
    rootName,
    async resolve(named) {
      const { byId, byName } = await directory()
      const wanted = named?.trim() ?? ''
      const alias = wanted.toLowerCase()
      if (alias === 'root' || wanted === rootOrgId)
        return { id: rootOrgId, name: await rootName('en'), is_root: true, is_default: false }
      const id = alias === 'default' ? defaultOrgId : isUuid(wanted) ? alias : byName.get(wanted)
      const name = id === undefined ? undefined : byId.get(id)
      return id !== undefined && name !== undefined
        ? stored(id, name)
        : stored(defaultOrgId, byId.get(defaultOrgId) ?? '')
    },
    async all() {
      const { byId } = await directory()
      return [...byId]
        .map(([id, name]) => stored(id, name))
        .toSorted((a, b) => Number(b.is_default) - Number(a.is_default))
    },
    nameOf: (id, language) => (id === rootOrgId ? orgNames[language].root : (latest.byId.get(id) ?? '')),
    changed: (executor) => cache.changed(executor),
  }
}

/** The organizations that always exist; a renamed one keeps its name. */
export async function seedOrgs(executor: Executor): Promise<void> {
  await executor
    .insert(organizations)
    .values([
      { id: defaultOrgId, name: 'Default', builtin: true, created_by: 'System' },
      { id: systemOrgId, name: 'SYSTEM', builtin: true, created_by: 'System' },
    ])
    .onConflictDoNothing()
}
