import type { ArgumentsOf, Callable } from '@sallyport/contract/resource/calls'
import type { Resource } from '@sallyport/contract/resource/resource'
import { call } from '../api/call.ts'
import type { RowFor } from '../api/names.ts'
import type { Action, Given } from './action.ts'

/** The calls a resource declares on one of its rows. */
export type RowCallOf<T extends Callable> = {
  [N in keyof T['calls'] & string]: T['calls'][N] extends { on: 'row' } ? N : never
}[keyof T['calls'] & string]

type Sent<T extends Callable, N extends keyof T['calls']> = Omit<ArgumentsOf<T['calls'][N]>, 'id'>

/**
 * What an action has of the declared call it makes, on each of its rows: its name, under which the server says in a row's `may` whether it
 * can be done, and the call. `sent` answers what else it is given: body, query, parameters.
 */
export function calling<T extends Resource, N extends RowCallOf<T>>(
  resource: T,
  name: N,
  ...[sent]: object extends Sent<T, N> ? [] : [(given: Given) => Sent<T, N>]
): Required<Pick<Action<RowFor<T>>, 'name' | 'call'>> {
  const make = call as unknown as (of: Resource, name: string, given: object) => Promise<unknown>
  return {
    name,
    call: (rows, given) => Promise.all(rows.map(({ id }) => make(resource, name, { ...sent?.(given), id }))),
  }
}
