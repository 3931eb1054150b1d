/** Routes that are not the standard calls of a resource: extra actions and addresses of their own. */
import { type CallSpec, type Circle, type Fields, permissionsOf } from '@sallyport/contract'
import type { PermissionName } from '@sallyport/contract/rbac/permissions'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../context.ts'

/**
 * Who may call: whoever holds one of the permissions, any signed-in person, a component (signed request), the holder of the bootstrap token,
 * the system administrator, or anybody. There is no default: a route without one does not start.
 */
export type Access =
  | { oneOf: readonly PermissionName[] }
  | 'valid_user'
  | 'component'
  | 'super_admin'
  | 'bootstrap'
  | 'public'

/** Of what a declaration says. */
export function accessOf(access: CallSpec['access']): Access {
  const permissions = permissionsOf({ access })
  return permissions ? { oneOf: permissions } : (access as Circle)
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Call<B = unknown, Q = unknown, P = Record<string, string>> {
  params: P
  query: Q
  body: B
  /** What the route's `ahead` answered. */
  ahead?: unknown
  request: FastifyRequest
  reply: FastifyReply
}

export interface Route {
  method: Method | readonly Method[]
  /** From the root, `:name` for parameters, with the closing slash of the wire. */
  path: string
  access: Access
  /** Nobody looks up who asks, where and under which settings: it is answered while the database is not. Of what anybody may call alone. */
  unasked?: true
  /** Parsed before the handler; a body that doesn't fit is a 400. */
  body?: z.ZodType
  query?: z.ZodType
  params?: z.ZodType
  /** The parameters of the query that may be given several times, as alternatives; no others. */
  takesSeveral?: (name: string) => boolean
  /** Largest body in bytes (default 1 MiB, 32 KiB where anybody may call). */
  bodyLimit?: number
  /** Answers GET as it is read, without a transaction (default), or any method inside one. */
  transaction?: boolean
  /** Reads a body that is a csv or xlsx file. */
  table?: (ctx: Context, request: FastifyRequest) => Promise<unknown>
  /** What its body is declared to have: says which files a form may bring, and what of it is a list. */
  fields?: Fields | undefined
  /** The body is handed over as the stream it is. */
  raw?: boolean
  /**
   * Where the change is recorded: by the kernel and the events of the handler (`changes`), or nowhere, with the reason. A route that writes
   * (inside a transaction, or by its method) and does not say it is not served; one that says `changes` and leaves no record is undone.
   */
  records?: 'changes' | { unrecorded: string }
  /** Only reads, whatever its method is. */
  reads?: true
  /** Changes something, although it is a GET: a browser's session needs the CSRF token for it. */
  isUnsafe?: true
  /** Answers a list, also as a table: `?format=csv` and `?format=xlsx`. */
  lists?: true
  /** What was sent with its secrets out of their envelopes, before anything looks at it. */
  opened?: (body: unknown) => Promise<unknown>
  /** Slow work (hashing, opening keys) before the transaction begins, so that it holds no connection; the handler gets what it answers. */
  ahead?: (ctx: Context, call: Call) => Promise<unknown>
  /** That work changes nothing: it takes of the time of the write, and is given up with it. */
  isAheadTimed?: true
  /** What it changes where that is locked as a whole: such writes go one after the other, before they take connections. */
  inTurn?: (ctx: Context, call: Call) => string | undefined
  /** Undefined: 204. A `Reply` sets the status. */
  handler: (ctx: Context, call: Call) => Promise<unknown>
}

/** An address that no declaration covers, and why. All of them: `apps/server/src/routes-by-hand.md`. */
export interface RouteByHand extends Route {
  byHand: string
}

/** An answer with another status than 200. */
export class Reply {
  readonly status: number
  readonly body: unknown
  constructor(status: number, body?: unknown) {
    this.status = status
    this.body = body
  }
}

/** An answer whose JSON was written already, in pieces. */
export class WrittenJson {
  readonly pieces: readonly (Buffer | string)[]
  constructor(pieces: readonly (Buffer | string)[]) {
    this.pieces = pieces
  }
}

export interface File {
  type: string
  name: string
}
/**
 * An answer that is a file, for `?format=csv` and its like. It is opened once the transaction is over: what the request leaves in the books
 * is there before the first byte of the file. Who asks for its headers alone does not open it.
 */
export class FileAnswer {
  readonly file: File
  readonly open: (ctx: Context) => Promise<Readable>
  constructor(file: File, open: (ctx: Context) => Promise<Readable>) {
    this.file = file
    this.open = open
  }
}

type Parsed<S> = S extends z.ZodType ? z.infer<S> : unknown

/** Declares a route; body, query and params are typed by their schemas. */
export function route<
  B extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  P extends z.ZodType | undefined = undefined,
>(
  spec: Omit<RouteByHand, 'handler' | 'body' | 'query' | 'params'> & {
    body?: B
    query?: Q
    params?: P
    handler: (
      ctx: Context,
      call: Call<Parsed<B>, Parsed<Q>, P extends z.ZodType ? z.infer<P> : Record<string, string>>,
    ) => Promise<unknown>
  },
): RouteByHand {
  return spec as unknown as RouteByHand
}
