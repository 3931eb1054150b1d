import { Command } from '@sallyport/contract/resources/terminal'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { commandCells } from './command-cells.tsx'

/** What was typed in one session, in the order it was typed. */
export default function SessionCommands({ sessionId }: { sessionId: string }) {
  return (
    <ResourceList
      resource={Command}
      query={{ session_id: sessionId }}
      can="read"
      detailTo={false}
      columns={['input', 'output', 'risk_level', 'timestamp_display']}
      defaultColumns={['input', 'output', 'timestamp_display']}
      searchExclude={['session', 'user', 'asset', 'account', 'session_id']}
      cells={commandCells}
    />
  )
}
