import type { Context } from './context.ts'
import type { Counted } from './counts/counts.ts'
import type { DomainEvent } from './events.ts'
import type { Execution } from './executions/execution.ts'
import type { RouteByHand } from './http/route.ts'
import type { SocketRoute } from './http/sockets.ts'
import type { Served } from './resource/binding.ts'
import type { Provided } from './resource/calls.ts'
import type { ServedOne } from './resource/singleton.ts'

/** What a domain gives the server: the resources it serves, its other routes, and what it does when something happened. */
export interface Domain {
  name: string
  resources?: readonly Served[]
  /** Tables that are no resource, and whose counts are kept as those of resources are. */
  counted?: readonly Counted[]
  /** Resources of one row. */
  singletons?: readonly ServedOne[]
  /** Calls that belong to no rows. */
  services?: readonly Provided[]
  /** Addresses that no declaration covers (files, sockets' companions, signing in), each with its reason where it is made. */
  routes?: readonly RouteByHand[]
  sockets?: readonly SocketRoute[]
  /** Whether its parts beside the server are well, by name; told to anybody. */
  health?: () => Promise<Readonly<Record<string, boolean>>>
  /** What it does beside requests, now and then or when it is asked to (its `jobs.ts`). */
  executions?: readonly Execution<unknown>[]
  /** Puts the built-in rows in place; at every start, in the order of the domains. */
  seed?: () => Promise<void>
  /** Begins what runs beside requests (sweeps, subscriptions); answers how to end it. */
  start?: () => Promise<() => Promise<void>>
  /** In the transaction of the change. */
  onRecord?: (ctx: Context, events: readonly DomainEvent[]) => Promise<void>
  /** After the commit. */
  onCommitted?: (ctx: Context, event: DomainEvent) => Promise<void>
}
