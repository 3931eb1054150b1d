/**
 * What can be done to a row or a list besides the standard reading and writing: declared beside the fields, so that the server serves it,
 * the OpenAPI document tells it, and clients call it by its name. `docs/guides/add-a-call.md` shows one from end to end.
 */
import type { PermissionName } from '../rbac/permissions.ts'
import type { Field, Fields, InputsOf, ReadsOf, WritesOf } from './field.ts'

export type CallMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Circle = 'valid_user' | 'component' | 'super_admin' | 'bootstrap' | 'public'
/**
 * Who may call: holders of a permission, or of one of several; any signed-in person, a component (a signed request), the holder of the
 * bootstrap token, the system administrator, or anybody. There is no default.
 */
export type Access = PermissionName | readonly PermissionName[] | Circle
/** The permissions of which one is needed; undefined where a call is for a circle of people. */
export const permissionsOf = ({ access }: Pick<CallSpec, 'access'>): readonly PermissionName[] | undefined =>
  typeof access !== 'string' ? access : access.includes('.') ? [access as PermissionName] : undefined

/** How sure the server must be of who is calling, within the window of time the settings give (spec 1 section 8). */
export type Confirmation = 'relogin' | 'password' | 'mfa'

/** The words of the operate log. */
export type OperateAction =
  | 'view'
  | 'update'
  | 'delete'
  | 'create'
  | 'connect'
  | 'login'
  | 'change_password'
  | 'monitor'
  | 'terminate'

declare const answered: unique symbol
/** A row of the resource itself, or of `of` (`app.model`). */
export interface RowAnswer<T> {
  kind: 'row'
  of: string | undefined
  readonly [answered]?: T
}
/** A list of rows of the resource itself, or of `of` (`app.model`), with its filters, order and paging. */
export interface RowsAnswer<T> {
  kind: 'rows'
  of: string | undefined
  /** What each row shows, where it isn't what rows of that resource show. */
  shows?: Fields
  /** These of its fields alone are told, by any of its filters, orders and formats, unless the caller holds the permission. */
  only?: { fields: readonly string[]; unless?: PermissionName }
  readonly [answered]?: T
}
export type RowsOnly<N extends string> = RowsAnswer<Own> & { only: { fields: readonly N[] } }
export interface ObjectAnswer<T> {
  kind: 'object'
  fields: Fields
  readonly [answered]?: T
}
/** JSON whose shape only the type tells. */
export interface JsonAnswer<T> {
  kind: 'json'
  /** The fields it may have, where clients are told them. */
  shows?: Fields
  readonly [answered]?: T
}
/** A list that is no table's: made at once, paged by the kernel. */
export interface ListAnswer<T> {
  kind: 'list'
  fields: Fields
  readonly [answered]?: T
}
export type Answer =
  | RowAnswer<unknown>
  | RowsAnswer<unknown>
  | ObjectAnswer<unknown>
  | ListAnswer<unknown>
  | JsonAnswer<unknown>

/** A page, or the whole list where no `limit` was asked for. */
export type Listed<T> = { count: number; next: string | null; previous: string | null; results: T[] } | T[]

/** Stands for the rows of the resource that declares the call. */
export interface Own {
  readonly [answered]: 'own'
}

/** What a call can answer; nothing (204) where it says none of them. */
export const answer = {
  /** The row the call made, or else was about, as after it. */
  row: { kind: 'row', of: undefined } as RowAnswer<Own>,
  /** A row of another resource. */
  rowOf: <T>(of: string) => ({ kind: 'row', of }) as RowAnswer<T>,
  rows: { kind: 'rows', of: undefined } as RowsAnswer<Own>,
  /** Of its own rows these fields alone, unless the caller holds the permission. */
  rowsOnly: <const N extends string>(fields: readonly N[], unless?: PermissionName) =>
    ({ kind: 'rows', of: undefined, only: { fields, ...(unless && { unless }) } }) as RowsOnly<N>,
  /** Rows of another resource. */
  rowsOf: <T>(of: string) => ({ kind: 'rows', of }) as RowsAnswer<T>,
  /** Rows of another resource, each shown by these fields. */
  rowsAs: <const F extends Fields>(of: string, shows: F) =>
    ({ kind: 'rows', of, shows }) as RowsAnswer<ReadsOf<F>>,
  object: <const F extends Fields>(fields: F) => ({ kind: 'object', fields }) as ObjectAnswer<ReadsOf<F>>,
  list: <const F extends Fields>(fields: F) => ({ kind: 'list', fields }) as ListAnswer<ReadsOf<F>>,
  json: <T>() => ({ kind: 'json' }) as JsonAnswer<T>,
  /** Told to clients by these fields. */
  jsonAs: <T>(shows: Fields) => ({ kind: 'json', shows }) as JsonAnswer<T>,
} as const

/**
 * What a call that writes leaves in the books.
 * - an action word: the kernel writes one record of it with what differs between the row before and after (calls on a row)
 * - `changes`: what it does is recorded where it is done (rows written through the kernel, events)
 * - `{ unrecorded }`: nothing, for the reason given
 */
export type Recording = OperateAction | 'changes' | { unrecorded: string }

export type CallBody = Fields | Field

export interface CallSpec {
  on: 'row' | 'list' | 'one'
  /** One, or several that mean the same; clients use the first. */
  method: CallMethod | readonly [CallMethod, ...CallMethod[]]
  /** Below the list address, or the row's; `{name}` for parameters, no slash at either end. */
  path: string
  access: Access
  /** Fields of an object, or one field that is the whole body. */
  body?: CallBody
  /** The field of the body that a bare list stands for, where older clients send one. */
  listAs?: string
  /** What is wrong with the body is answered as `{error: text}`, not field by field. */
  refusesInText?: true
  query?: Fields
  /** Default: nothing. */
  answer?: Answer
  /** Of a good answer (default 200, 204 without one). */
  status?: 200 | 201 | 204
  /** What it leaves in the books; must be said by whatever writes, and may be said of a GET that tells a secret. */
  records?: Recording
  /** It only asks something, whatever its method is. */
  reads?: true
  /** A GET that changes something: a browser's session needs the CSRF token for it, as for other methods. */
  isUnsafe?: true
  confirm?: Confirmation
  /** Largest body in bytes (default 1 MiB, 32 KiB where anybody may call). */
  bodyLimit?: number
}
export type Calls = Readonly<Record<string, CallSpec>>
export type NoCalls = Pick<Calls, never>

type Unplaced = Omit<CallSpec, 'on'>
/** A misspelt key does not compile. */
type NothingElse<S> = Readonly<Record<Exclude<keyof S, keyof Unplaced>, never>>
/** Declares a call on one row: below `/<path>/{id}/`. The kernel finds the row, and locks it unless the method is GET. */
export const onRow = <const S extends Unplaced>(spec: S & NothingElse<S>) => ({ ...spec, on: 'row' }) as const
/** Declares a call on the list: below `/<path>/`. */
export const onList = <const S extends Unplaced>(spec: S & NothingElse<S>) =>
  ({ ...spec, on: 'list' }) as const

/** Declares a call on the row of a singleton: below `/<path>/`. The kernel reads it, and locks it unless the method is GET. */
export const onOne = <const S extends Unplaced>(spec: S & NothingElse<S>) => ({ ...spec, on: 'one' }) as const

/** Calls that belong to no rows: what a program asks of the house (`settings/public/`, `components/connect-methods/`). */
export interface Service<C extends Calls = Calls, P extends string = string> {
  app: string
  /** For the catalogue of labels: `app.model.call`. */
  model: string
  /** Below `/api/v1/`, no slash at either end; may have `{name}` for parameters of all its calls. */
  path: P
  calls: C
}
export const service = <const C extends Calls, const P extends string>(spec: Service<C, P>): Service<C, P> =>
  spec

/** What declares calls: a resource, or a service. */
export type Callable = Pick<Service, 'app' | 'model' | 'path' | 'calls'>

export const methodsOf = (call: Pick<CallSpec, 'method'>): readonly CallMethod[] =>
  typeof call.method === 'string' ? [call.method] : call.method
export const isWrite = (call: Pick<CallSpec, 'method' | 'reads'>) =>
  call.reads !== true && methodsOf(call).some((method) => method !== 'GET')

/** The address of a call from the root, with `{id}` and its own parameters still in it. */
export function callPath(of: Pick<Callable, 'path'>, call: Pick<CallSpec, 'on' | 'path'>): string {
  const parts = [of.path, ...(call.on === 'row' ? ['{id}'] : []), ...(call.path === '' ? [] : [call.path])]
  return `/api/v1/${parts.join('/')}/`
}

// ---- types derived from a declaration ----
type ParametersIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersIn<Rest>
  : never
/** The parameters in a call's address besides the row's id. */
export type ParametersOf<C> = C extends { path: infer P extends string }
  ? { [K in ParametersIn<P>]: string }
  : unknown

/** A body, or its fields, as a client sends it. */
export type BodySent<B> = B extends Field<unknown, infer W> ? W : WritesOf<B>
export type BodyParsed<B> = B extends Field<unknown, unknown, infer _O, infer P> ? P : InputsOf<B>
/** What a client sends. */
export type SentOf<C> = C extends { body: infer B } ? BodySent<B> : undefined
/** What the server's implementation gets: parsed, references as ids, secrets opened. */
export type BodyOf<C> = C extends { body: infer B } ? BodyParsed<B> : undefined
/** The declared query parameters, each where it was sent. */
export type QueryOf<C> = C extends { query: infer Q } ? Partial<InputsOf<Q>> : unknown
type QuerySent<C> = C extends { query: infer Q } ? Partial<WritesOf<Q>> : unknown
/** What a client gets; `Row` is the row type of the resource. */
export type AnswerOf<C, Row = unknown> = C extends { answer: infer A }
  ? A extends RowAnswer<infer T>
    ? [T] extends [Own]
      ? Row
      : T
    : A extends RowsAnswer<infer T>
      ? Listed<[T] extends [Own] ? Row : T>
      : A extends ListAnswer<infer T>
        ? Listed<T>
        : A extends ObjectAnswer<infer T> | JsonAnswer<infer T>
          ? T
          : null
  : null

type Needed<T> = [keyof T] extends [never] ? unknown : T
/** Everything a client says in a call: the row's id, parameters, body, query. */
export type ArgumentsOf<C> = (C extends { on: 'row' } ? { id: string | number } : unknown) &
  Needed<ParametersOf<C>> &
  (C extends { body: CallBody } ? { body: SentOf<C> } : unknown) & {
    query?: QuerySent<C> & Readonly<Record<string, unknown>>
  }

/** A request as any client sends it. */
export interface CallRequest {
  method: CallMethod
  /** From the root. */
  path: string
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

/** The request of a declared call. `path` parameters are escaped. */
export function requestOf<O extends Callable, N extends keyof O['calls'] & string>(
  of: O,
  name: N,
  given: ArgumentsOf<O['calls'][N]> & Needed<ParametersOf<O>>,
): CallRequest {
  const call = of.calls[name]
  if (call === undefined) throw new Error(`${of.app}.${of.model} declares no call ${name}`)
  const values = given as Readonly<Record<string, unknown>>
  const path = callPath(of, call).replaceAll(/\{(\w+)\}/g, (_all, parameter: string) => {
    const value = values[parameter]
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new Error(`${of.app}.${of.model}.${name} needs ${parameter}`)
    return encodeURIComponent(value)
  })
  return {
    method: methodsOf(call)[0] ?? 'GET',
    path,
    ...(values['query'] === undefined ? {} : { query: values['query'] as Record<string, unknown> }),
    ...(call.body === undefined ? {} : { body: values['body'] }),
  }
}
