import { Command } from '@sallyport/contract/resources/terminal'
import { listPath, type RowId } from '../../../kit/api/resource.ts'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { readOnly } from '../read-only.ts'
import { commandCells } from './command-cells.tsx'

/** What was typed in one session, in the order it was typed. */
export default function SessionCommands({ sessionId }: { sessionId: RowId }) {
  return (
    <ResourceList
      resource={Command}
      path={`terminal/commands/?session_id=${sessionId}`}
      describedBy={listPath(Command.path)}
      can={readOnly}
      inAddress={false}
      detailTo={false}
      columns={['input', 'output', 'risk_level', 'timestamp_display']}
      defaultColumns={['input', 'output', 'timestamp_display']}
      searchExclude={['session', 'user', 'asset', 'account', 'session_id']}
      cells={commandCells}
    />
  )
}
