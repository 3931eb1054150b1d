import { Command } from '@sallyport/contract/resources/terminal'
import { useAccess } from '../../../kit/access/access.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { useMessages } from '../../../kit/text.ts'
import { readOnly } from '../read-only.ts'
import { replayAddress } from './session-windows.ts'
import styles from './sessions.module.css'

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
        cells={{
          input: {
            wrap: true,
            render: (row) => <code className={styles.command}>{String(row['input'])}</code>,
          },
          output: {
            wrap: true,
            render: (row) => <pre className={styles.output}>{String(row['output'])}</pre>,
          },
          risk_level: { widthPx: 105 },
        }}
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
