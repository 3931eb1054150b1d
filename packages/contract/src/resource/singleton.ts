/**
 * A resource of exactly one row: the caller's own account, a page of settings, what the platform tells about itself. There is no list and
 * no id: the row is at the address itself, is read (GET) and, where it may be changed, written (PUT, PATCH) there.
 */
import type { Access, Calls, NoCalls } from './calls.ts'
import type { Fields } from './field.ts'
import { type Resource, resource, type ResourceSpec } from './resource.ts'

export interface SingletonSpec<F extends Fields, C extends Calls> extends Pick<
  ResourceSpec<F, never, C>,
  'app' | 'model' | 'path' | 'alias' | 'fields' | 'audited' | 'licensed' | 'calls'
> {
  /** Who may read the row, and who may change it: nobody unless said. */
  access: SingletonAccess
}
export interface SingletonAccess {
  read: Access
  update?: Access
}
export interface Singleton<F extends Fields = Fields, C extends Calls = Calls> extends Resource<F, never, C> {
  access: SingletonAccess
}

export const singleton = <const F extends Fields, const C extends Calls = NoCalls>({
  access,
  calls,
  ...spec
}: SingletonSpec<F, C>): Singleton<F, C> => ({
  ...resource<F>({
    ...spec,
    scope: 'system',
    order: [],
    actions: access.update === undefined ? ['retrieve'] : ['retrieve', 'update'],
    bulk: false,
  }),
  calls: calls ?? ({} as C),
  access,
})

export const isSingleton = (of: Resource): of is Singleton => 'access' in of
