import { useMemo } from 'react'
import { useHref, useLocation } from 'react-router'
import { type Access, useAccess } from '../access/access.ts'
import type { Action } from '../actions/action.ts'
import { isOffered, orderedActions } from '../actions/action-state.ts'
import { useBulkRemove, useRemove } from '../api/hooks.ts'
import type { ResourceRef, Row } from '../api/resource.ts'
import { screenPaths } from '../screens/paths.ts'
import type { ListAbilities, SaidOfList } from './list-spec.ts'
import { bulkRemoveAction, removeAction, updateAction } from '../actions/usual-actions.ts'
import { bulkUpdateAction } from '../form/bulk-update.ts'
import { inSameOrganization, useGo } from '../routes/navigation.tsx'
import { type Paging, pagings } from './paging.ts'
import type { ImportMode } from '../transfer/import-file.ts'

const nothing: ListAbilities = {
  create: false,
  update: false,
  remove: false,
  clone: false,
  bulkRemove: false,
  import: false,
  export: false,
}

/**
 * What this person can do in a list: with the list, with ticked rows and with one row. What he has no right to is not
 * offered; in the root organization, which takes nothing new, neither are create, update and clone.
 */
export function useListActions(spec: SaidOfList) {
  const go = useGo()
  const { pathname, search } = useLocation()
  const access = useAccess()
  const paging: Paging = pagings[spec.paging ?? 'offset']
  const { mutateAsync: removeOne } = useRemove(spec.resource.path)
  const { mutateAsync: removeMany } = useBulkRemove(spec.resource.path, paging.deletedAt)
  const paths = useMemo(() => screenPaths(spec.base ?? pathname), [spec.base, pathname])
  const createHref = useHref(inSameOrganization(paths.create, search))

  const { mayCreate, ...actions } = useMemo(() => {
    const { resource } = spec
    const can = typeof spec.can === 'string' ? { ...nothing, export: spec.can === 'read' } : { ...spec.can }
    const rooted = resource.scope === 'org' && access.inRoot
    const mayCreate = can.create !== false && !rooted && access.canDo('add', resource)
    const usual: Action<Row>[] = []
    if (can.update !== false && !rooted && access.canDo('change', resource)) {
      usual.push({ ...updateAction(false, can.update), to: (row) => paths.update(row.id) })
    }
    const mayRemove = access.canDo('delete', resource)
    if (can.remove !== false && mayRemove) {
      usual.push({
        ...removeAction(rooted, can.remove, spec.removeConsequence),
        call: ([row]) => row && removeOne(row.id),
      })
    }
    if (can.clone !== false && mayCreate) {
      usual.push({ name: 'clone', title: 'kit:duplicate', order: 30, to: (row) => paths.clone(row.id) })
    }
    const bulk = [...(spec.bulkActions ?? [])]
    if (can.bulkRemove !== false && mayRemove) {
      bulk.push({
        ...bulkRemoveAction(spec.removeConsequence),
        call: (rows) => removeMany(rows.map(({ id }) => id)),
      })
    }
    if (spec.bulkUpdate && !access.inRoot && access.canDo('change', resource)) {
      bulk.push(bulkUpdateAction(resource, spec.bulkUpdate))
    }
    return {
      paths,
      row: offered(orderedActions([...usual, ...(spec.rowActions ?? [])]), access),
      bulk: offered(bulk, access),
      mayCreate,
      importModes: rooted ? [] : importModes(resource, can.import ?? true, access),
      canExport: can.export !== false && access.canDo('view', spec.exportAs ?? resource),
    }
  }, [spec, access, paths, removeOne, removeMany])
  const create = (inNewTab: boolean) => {
    if (spec.onCreate) spec.onCreate()
    else if (inNewTab) window.open(createHref, '_blank', 'noopener')
    // The form leads back to the list as it was left.
    else void go(paths.create, { state: { backTo: pathname + search } })
  }
  return { ...actions, create: mayCreate ? create : undefined }
}

const rightFor = { create: 'add', update: 'change' } as const

/** What of a file this person may import. */
function importModes(resource: ResourceRef, allowed: boolean | ImportMode, access: Access): ImportMode[] {
  return (['create', 'update'] as const).filter(
    (mode) =>
      (allowed === true || allowed === mode) &&
      resource.actions?.includes(mode) !== false &&
      access.canDo(rightFor[mode], resource),
  )
}

function offered(actions: readonly Action<Row>[], access: Access): readonly Action<Row>[] {
  return actions.filter((action) => isOffered(action, access))
}
