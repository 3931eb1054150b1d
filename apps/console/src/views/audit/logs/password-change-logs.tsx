import { PasswordChangeLog } from '@sallyport/contract/resources/audits'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { readOnly } from '../read-only.ts'

/** Whose password was changed, by whom and from where. */
function PasswordChangeLogs() {
  return (
    <Page>
      <ResourceList
        resource={PasswordChangeLog}
        can={readOnly}
        dateRange
        detailTo={false}
        defaultColumns={['user', 'change_by', 'remote_addr', 'datetime']}
        minColumns={['user', 'change_by']}
      />
    </Page>
  )
}

export default { list: PasswordChangeLogs }
