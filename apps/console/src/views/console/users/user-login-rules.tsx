import { LoginAcl } from '@sallyport/contract/resources/acls'
import type { User } from '@sallyport/contract/resources/users'
import { useLocation } from 'react-router'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { useGo } from '../../../kit/routes/navigation.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'

const base = '/console/users/users/user-acl'
const paths = screenPaths(base)

/** The login rules of one person. */
export default function UserLoginRules({ row }: { row: User }) {
  const go = useGo()
  const { pathname, search } = useLocation()
  return (
    <ResourceList
      resource={LoginAcl}
      inAddress={false}
      base={base}
      query={{ user: row.id }}
      can={{ import: false, export: false, clone: false, bulkRemove: false }}
      exclude={['rules', 'reviewers', 'user']}
      defaultColumns={['name', 'priority', 'is_active', 'action', 'comment']}
      minColumns={['name']}
      onCreate={() =>
        void go(`${paths.create}?user=${encodeURIComponent(row.id)}`, {
          state: { backTo: pathname + search },
        })
      }
    />
  )
}
