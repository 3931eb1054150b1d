import { Command } from '@sallyport/contract/resources/terminal'
import { useAccess } from '../../../kit/access/access.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { useMessages } from '../../../kit/text.ts'
import { readOnly } from '../read-only.ts'
import { commandCells } from './command-cells.tsx'
import { replayAddress } from './session-windows.ts'

/** Every command typed in a recorded session, and the way to the moment it was typed in. */
function Commands() {
  const text = useMessages()
  const { can } = useAccess()
  return (
    <Page>
      <ResourceList
        resource={Command}
        can={readOnly}
        dateRange
        detailTo={false}
        defaultColumns={[
          'input',
          'risk_level',
          'user',
          'asset',
          'account',
          'remote_addr',
          'timestamp_display',
        ]}
        minColumns={['input']}
        cells={commandCells}
        rowActions={[
          {
            name: 'replay',
            title: text('replay'),
            hidden: !can('terminal.view_sessionreplay'),
            run: (row) => window.open(replayAddress(String(row['session'])), '_blank', 'noopener'),
          },
        ]}
      />
    </Page>
  )
}

export default { list: Commands }
