import type { Resource } from '@sallyport/contract/resource/resource'
import { useQueryClient } from '@tanstack/react-query'
import { useAccess } from '../access/access.ts'
import { api } from '../api/client.ts'
import { queryKeys } from '../api/keys.ts'
import { listPath, type Row, type RowId } from '../api/resource.ts'
import { relatedItems } from '../relation/relation.ts'
import { useMessages } from '../text.ts'
import type { MembersSpec } from './parts.tsx'
import { RelationCard } from './relation-card.tsx'
import { useChange } from './use-change.ts'

export interface MembersProps extends MembersSpec<Resource> {
  resource: Resource
  field: string
  row: Row
}

/** The rows a field of a row holds; see `members`. What the person has no right to is closed, as is all in the root organization. */
export function Members(props: MembersProps) {
  const { title, source, pairs, field, row, chooser } = props
  const text = useMessages()
  const { canDo, inRoot } = useAccess()
  const inPairs = usePairs(props)
  const asWhole = useWhole(props)
  const change = pairs ? inPairs : asWhole
  const may = (action: 'add' | 'delete') =>
    !inRoot && (pairs ? canDo(action, pairs.resource) : canDo('change', props.resource))
  return (
    <RelationCard
      title={text(title)}
      source={source}
      value={row[field]}
      add={may('add') ? change.add : undefined}
      remove={may('delete') ? change.remove : undefined}
      chooser={chooser}
    />
  )
}

/** One row of another resource for each pair. */
function usePairs({ resource, row, pairs }: MembersProps) {
  const client = useQueryClient()
  const path = listPath(pairs?.resource.path ?? '')
  const pairOf = (id: RowId) => ({ [pairs?.own ?? '']: row.id, [pairs?.other ?? '']: id })
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.resource(resource.path) })
  return {
    add: async (ids: RowId[]) => {
      await api.post(path, ids.map(pairOf))
      await refresh()
    },
    remove: async (id: RowId) => {
      await api.delete(path, { query: pairOf(id) })
      await refresh()
    },
  }
}

/** The field is sent as a whole. */
function useWhole({ resource, row, field }: MembersProps) {
  const change = useChange(resource)
  const setIds = (next: (ids: RowId[]) => RowId[]) =>
    change(row.id, (now) => {
      const ids = relatedItems((now as Row)[field]).flatMap(({ id }) => id ?? [])
      return { [field]: next(ids).map((pk) => ({ pk })) }
    })
  return {
    add: (ids: RowId[]) => setIds((held) => [...new Set([...held, ...ids])]),
    remove: (id: RowId) => setIds((held) => held.filter((other) => other !== id)),
  }
}
