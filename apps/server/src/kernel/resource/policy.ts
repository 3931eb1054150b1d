/** What may be done to a row, beyond the permission to do it at all: asked before it is done, and told to clients that ask. */
import {
  type Action,
  type ErrorKey,
  errors,
  permissionFor,
  permissionsOf,
  translate,
} from '@sallyport/contract'
import type { Context } from '../context.ts'
import { forbidden } from '../errors.ts'
import type { StoredRow } from '../events.ts'
import type { Served } from './binding.ts'
import type { Query } from './query.ts'

/** @throws ApiError 403 with the reason when the binding's policy does not let this be done to the row. */
export function checkMay(
  { binding }: { binding: Pick<Served['binding'], 'may'> },
  ctx: Context,
  row: StoredRow,
  action: string,
): void {
  const verdict = binding.may?.(ctx, row, action) ?? true
  if (verdict !== true) throw forbidden(verdict)
}

/** What a client is told: true, or the sentence that says why not. */
export type May = Readonly<Record<string, true | string>>

const onRows: readonly Action[] = ['update', 'delete']

/** Everything that can be done to rows of this resource, and whether the caller may do it to this one. */
export function mayOf({ resource, binding }: Served, ctx: Context, row: StoredRow): May {
  const told = (action: string, permitted: boolean) => {
    const verdict: true | ErrorKey = permitted
      ? (binding.may?.(ctx, row, action) ?? true)
      : 'permission_denied'
    return [action, verdict === true ? true : translate(errors, ctx.language, verdict)] as const
  }
  const standard = onRows
    .filter((action) => resource.actions.includes(action))
    .map((action) => told(action, resource.scope === 'own' || ctx.can(permissionFor(resource, action))))
  const declared = Object.entries(resource.calls)
    .filter(([, { on }]) => on === 'row')
    .map(([name, call]) => told(name, permissionsOf(call)?.some((one) => ctx.can(one)) ?? true))
  return Object.fromEntries([...standard, ...declared])
}

/** A row as it is shown, with what may be done to it for clients that ask: `?may=1` adds `may: {update: true, delete: "why not"}`. */
export const toldOf = (
  served: Served,
  ctx: Context,
  shown: Record<string, unknown>,
  row: StoredRow,
  query: Query,
): Record<string, unknown> => (query['may'] === '1' ? { ...shown, may: mayOf(served, ctx, row) } : shown)
