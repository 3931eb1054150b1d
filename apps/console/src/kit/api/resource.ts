import type { PermissionName } from '@sallyport/contract/rbac/permissions'

/**
 * What a screen must know of a resource: where it is served and under which name its permissions run.
 * Every resource declared in the contract fits.
 */
export interface ResourceRef {
  app: string
  model: string
  /** The last part of the permission strings, where it differs from the model. */
  permission?: string
  /** List path below `/api/v1/`, with or without the last slash. */
  path: string
  /** `org`: rows belong to an organization and cannot be created in the root one. */
  scope?: string
  /** What the server does with them; everything unless said. */
  actions?: readonly string[]
}

const permissionTo = (action: string) => (of: ResourceRef) =>
  `${of.app}.${action}_${of.permission ?? of.model}` as PermissionName

/** The permission without which rows of a resource are not shown. */
export const viewPermission = permissionTo('view')
/** The one without which they are not changed. */
export const changePermission = permissionTo('change')

export type RowId = string | number

/** A row as the server presents it. */
export interface Row {
  id: RowId
  [field: string]: unknown
}

/** A page of a list. */
export interface Page<R> {
  count: number
  results: R[]
}

/** The list path with its last slash; a query stays where it was. */
export function listPath(path: string): string {
  const [bare = '', query] = path.split('?', 2)
  const slashed = bare.endsWith('/') ? bare : `${bare}/`
  return query ? `${slashed}?${query}` : slashed
}

/** The path of one row of a list. */
export function detailPath(path: string, id: RowId): string {
  const [bare = '', query] = listPath(path).split('?', 2)
  const own = `${bare}${encodeURIComponent(String(id))}/`
  return query ? `${own}?${query}` : own
}

/** The same as the data table of the compatible system reads it. */
export interface NumberedPage<R> {
  payload: { content: R[]; totalElements: number }
}

/** A list answer in one shape: the server sends a bare array when no page was asked for. */
export function pageOf<R>(answer: Page<R> | NumberedPage<R> | R[]): Page<R> {
  if (Array.isArray(answer)) {
    return { count: answer.length, results: answer }
  }
  return 'payload' in answer
    ? { count: answer.payload.totalElements, results: answer.payload.content }
    : answer
}
