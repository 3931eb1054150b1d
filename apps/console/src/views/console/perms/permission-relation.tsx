import { AssetPermission } from '@sallyport/contract/resources/perms'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api/client.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { listPath, type ResourceRef } from '../../../kit/api/resource.ts'
import { RelationCard } from '../../../kit/detail/relation-card.tsx'
import type { RelationSource } from '../../../kit/relation/relation.ts'

interface PermissionRelationProps {
  row: AssetPermission
  title: string
  /** The field of the permission that holds what is named. */
  field: 'assets' | 'nodes' | 'user_groups' | 'users'
  source: RelationSource
  /** The list of pairs, and how it calls what is named. */
  pairs: ResourceRef
  pairField: string
}

/** What a permission names itself: people, groups, assets or nodes; each can be added and taken away. */
export function PermissionRelation({ row, title, field, source, pairs, pairField }: PermissionRelationProps) {
  const client = useQueryClient()
  const path = listPath(pairs.path)
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.resource(AssetPermission.path) })
  const refreshCovered = () => client.invalidateQueries({ queryKey: ['covered', row.id] })
  return (
    <RelationCard
      title={title}
      source={source}
      value={row[field]}
      add={async (ids) => {
        await api.post(
          path,
          ids.map((id) => ({ assetpermission: row.id, [pairField]: id })),
        )
        await Promise.all([refresh(), refreshCovered()])
      }}
      remove={async (id) => {
        await api.delete(path, { query: { assetpermission: row.id, [pairField]: id } })
        await Promise.all([refresh(), refreshCovered()])
      }}
    />
  )
}
