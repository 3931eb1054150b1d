import { defaultOrgId, defaultSettings } from '@sallyport/contract'
import { type Context, createContext, type Identity } from '../context.ts'
import type { Database } from '../database/index.ts'

/** A context without a request: of that person, or of nobody. */
export const contextOf = ({ db }: Pick<Database, 'db'>, identity?: Pick<Identity, 'id' | 'name'>): Context =>
  createContext(
    { emit: () => Promise.resolve() },
    {
      db,
      identity: identity && {
        ...identity,
        username: identity.name,
        isComponent: false,
        isSuperAdmin: false,
        by: 'session',
        sessionId: undefined,
      },
      org: { id: defaultOrgId, name: 'Default', is_root: false, is_default: true },
      language: 'en',
      zone: 'UTC',
      remoteAddr: '',
      origin: '',
      settings: defaultSettings,
      hasLicence: true,
      can: () => false,
      orgName: () => 'Default',
    },
  )
export const workContext = (database: Pick<Database, 'db'>) => () => Promise.resolve(contextOf(database))
