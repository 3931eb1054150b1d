import { UserGroup } from '@sallyport/contract/resources/users'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api/client.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { Columns } from '../../../kit/detail/card.tsx'
import { DetailCard } from '../../../kit/detail/detail-card.tsx'
import { RelationCard } from '../../../kit/detail/relation-card.tsx'
import { useMessages } from '../../../kit/text.ts'
import { userSource } from '../sources.ts'

const relations = 'users/users-groups-relations/'

/** A user group and its members. */
export default function GroupInfo({ row }: { row: UserGroup }) {
  const text = useMessages()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.resource(UserGroup.path) })
  return (
    <Columns
      main={<DetailCard row={row} path={listPath(UserGroup.path)} exclude={['users']} />}
      side={
        <RelationCard
          title={text('members')}
          source={userSource}
          value={row.users}
          add={async (ids) => {
            await api.post(
              relations,
              ids.map((user) => ({ user, usergroup: row.id })),
            )
            await refresh()
          }}
          remove={async (user) => {
            await api.delete(relations, { query: { usergroup: row.id, user } })
            await refresh()
          }}
        />
      }
    />
  )
}
