import type { PermissionName } from '../rbac/permissions.ts'
import type { Calls, NoCalls, RowsOnly } from './calls.ts'
import type { Field, Fields, InputsOf, ReadsOf, WritesOf } from './field.ts'
import { boolean, datetime, text, uuid } from './field.ts'

export type Action = 'list' | 'retrieve' | 'create' | 'update' | 'delete'
/** Whose rows a resource holds: an organization's, the whole system's, or the calling person's. */
export type Scope = 'org' | 'system' | 'own'

/**
 * A query parameter that is not a field. The server's binding carries it out, and start-up refuses one that nothing carries out. A `modifier`
 * says yes or no and narrows nothing by itself: it changes what another filter finds (`all`: with what lies below).
 */
export interface Filter {
  kind: 'text' | 'uuid' | 'boolean' | 'datetime' | 'integer' | 'modifier'
  /** Given several times, a row meets all of them; other filters find what meets any. */
  every?: true
}

export interface ResourceSpec<F extends Fields = Fields, Q extends string = string, C extends Calls = Calls> {
  app: string
  model: string
  /** Below `/api/v1/`, no slash at either end. */
  path: string
  scope: Scope
  fields: F
  /** Query parameters besides the fields marked `filter`. */
  filters?: Readonly<Record<Q, Filter>>
  /** The field sets of `?fields_size=`. */
  mini?: readonly (keyof F & string)[]
  small?: readonly (keyof F & string)[]
  /** Default order, `-` for descending. */
  order: readonly string[]
  /** What may be done; everything unless said. */
  actions?: readonly Action[]
  /** Arrays in create, update and delete (default true). */
  bulk?: boolean
  /** Of the whole system, and yet a list that a filter narrows may be deleted at once, not a selection only. */
  deletesNarrowed?: true
  /** The resource part of the permission strings, where it differs from the model. */
  permission?: string
  /** A text field the detail address accepts besides the id. */
  alsoBy?: keyof F & string
  /** Another address of all of it, for older clients; of a singleton also with the parameter that tells it from others there. */
  alias?: string
  /** The id is an integer the database gives. */
  integerId?: boolean
  /** Fields a new row may leave to a parameter of the address it is sent to: `{nodes: 'node_id'}` for `POST …/?node_id=`. */
  fromQuery?: Readonly<Partial<Record<keyof F & string, string>>>
  /** The two fields that name one row between them: a deletion on the list that names both removes that one. */
  pair?: readonly [keyof F & string, keyof F & string]
  /** Writes are recorded as operate logs (default true). */
  audited?: boolean
  /** The related object within which names are unique; operate logs name it too: `root@web-1`. */
  within?: keyof F & string
  /** Written with a valid licence only; read always. */
  licensed?: true
  /** What can be done besides. */
  calls?: C
}

export interface Resource<F extends Fields = Fields, Q extends string = string, C extends Calls = Calls> {
  app: string
  model: string
  path: string
  scope: Scope
  fields: F
  filters: Readonly<Record<Q, Filter>>
  mini: readonly string[] | undefined
  small: readonly string[] | undefined
  order: readonly string[]
  actions: readonly Action[]
  bulk: boolean
  deletesNarrowed: boolean
  permission: string
  alsoBy: string | undefined
  alias: string | undefined
  integerId: boolean
  fromQuery: Readonly<Record<string, string>>
  pair: readonly [string, string] | undefined
  audited: boolean
  within: string | undefined
  licensed: boolean
  calls: C
}

/** What calls tell of its rows alone are fields and filters it has. */
interface TellsItsOwn<C extends Calls, N> {
  calls?: {
    readonly [K in keyof C]: C[K] extends { answer: RowsOnly<infer Told> }
      ? { answer: RowsOnly<Told & N> }
      : unknown
  }
}

const everything: readonly Action[] = ['list', 'retrieve', 'create', 'update', 'delete']

/** Declares a resource. Fields are put into the order of the wire: plain ones, then booleans, then dates. */
export function resource<
  const F extends Fields,
  const Q extends string = never,
  const C extends Calls = NoCalls,
>(spec: ResourceSpec<F, Q, C> & TellsItsOwn<C, keyof F | Q>): Resource<F, Q, C> {
  return {
    app: spec.app,
    model: spec.model,
    path: spec.path,
    scope: spec.scope,
    fields: inWireOrder(spec.fields),
    filters: spec.filters ?? ({} as Record<Q, Filter>),
    mini: spec.mini,
    small: spec.small,
    order: spec.order,
    actions: spec.actions ?? everything,
    bulk: spec.bulk ?? true,
    deletesNarrowed: spec.deletesNarrowed ?? spec.scope !== 'system',
    permission: spec.permission ?? spec.model,
    alsoBy: spec.alsoBy,
    alias: spec.alias,
    integerId: spec.integerId ?? false,
    fromQuery: (spec.fromQuery ?? {}) as Readonly<Record<string, string>>,
    pair: spec.pair,
    audited: spec.audited ?? true,
    within: spec.within,
    licensed: spec.licensed ?? false,
    calls: spec.calls ?? ({} as C),
  }
}

function inWireOrder<F extends Fields>(fields: F): F {
  const rank = (field: Field) => (field.kind.kind === 'boolean' ? 1 : field.kind.kind === 'datetime' ? 2 : 0)
  return Object.fromEntries(Object.entries(fields).sort(([, a], [, b]) => rank(a) - rank(b))) as F
}

const verbs: Record<Action, string> = {
  list: 'view',
  retrieve: 'view',
  create: 'add',
  update: 'change',
  delete: 'delete',
}
/** `users.view_user` and the like. Those no role may hold are the system administrator's. */
export const permissionFor = (of: Resource, action: Action) =>
  `${of.app}.${verbs[action]}_${of.permission}` as PermissionName

/** `users.usergroup`: what relations name. */
export const modelOf = (of: { app: string; model: string }) => `${of.app}.${of.model}`
export const listUrl = (of: Resource) => `/api/v1/${of.path}/`
export const detailUrl = (of: Resource, id: string | number) =>
  `/api/v1/${of.path}/${encodeURIComponent(id)}/`

/** The columns nearly every resource carries. Ids are the server's: one that is sent with a new row is ignored. */
export const identified = { id: uuid({ readOnly: true, filter: true }) }
export const organized = {
  org_id: text({ readOnly: true, order: false }),
  org_name: text({ readOnly: true, order: false }),
}
export const created = {
  created_by: text({ max: 128, readOnly: true }),
  date_created: datetime({ readOnly: true }),
}
export const updated = {
  updated_by: text({ max: 128, readOnly: true }),
  date_updated: datetime({ readOnly: true }),
}
export const commented = { comment: text({ default: '' }) }
export const active = { is_active: boolean({ default: true, filter: true }) }

// ---- types derived from a declaration ----
type FieldsOf<R> = R extends { fields: infer F } ? F : never

/** A row as the API answers it. */
export type RowOf<R> = ReadsOf<FieldsOf<R>>
/** The query parameters a list can be narrowed by: fields marked `filter`, and filters of its own. */
export type FilterOf<R> =
  R extends Resource<infer F, infer Q>
    ? | {
          [K in keyof F]: F[K] extends { options: { filter: true | 'contained' } } ? K & string : never
        }[keyof F]
      | Q
    : never
/** What create and replace take. */
export type PayloadOf<R> = WritesOf<FieldsOf<R>>
/** A parsed payload as the server's code gets it: ids of relations, bits of flags, values of choices. */
export type InputOf<R> = Partial<InputsOf<FieldsOf<R>>>
