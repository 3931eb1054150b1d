import { UserGroup } from '@sallyport/contract/resources/users'
import { ActionDialogs } from '../../kit/actions/open-dialog.tsx'
import { rowDialogs } from '../../kit/list/row-dialogs.tsx'
import { ResourceList } from '../../kit/list/resource-list.tsx'

const dialogs = rowDialogs(UserGroup, { groups: [['basic', ['name', 'comment']]] })

/** A data table: page and size on the wire, a page number to type, and dialogs for new, edit and view, or the usual screens. */
export default function TablePage() {
  return (
    <>
      <ResourceList
        {...(location.search === '?table=screens' ? {} : dialogs)}
        resource={UserGroup}
        paging={location.search === '?table=all' ? 'none' : 'page'}
        columns={['name', 'comment', 'id']}
      />
      <ActionDialogs />
    </>
  )
}
