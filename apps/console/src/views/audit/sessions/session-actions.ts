import { Session } from '@sallyport/contract/resources/terminal'
import { useQueryClient } from '@tanstack/react-query'
import { useAccess } from '../../../kit/access/access.ts'
import { api } from '../../../kit/api/client.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import type { Row } from '../../../kit/api/resource.ts'
import { ask } from '../../../kit/confirm/ask.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { useMessages } from '../../../kit/text.ts'

/** What an auditor can do with sessions, and with which of them. */
export function useSessionActions() {
  const text = useMessages()
  const { can } = useAccess()
  const client = useQueryClient()
  const terminate = (rows: readonly Row[], done?: () => void) => {
    const [only] = rows
    ask({
      title:
        rows.length === 1 && only
          ? text('terminateQuestion', { user: String(only['user']), asset: String(only['asset']) })
          : text('terminateManyQuestion', { count: rows.length }),
      confirmText: text('terminate'),
      danger: true,
      onConfirm: async () => {
        await api.post(
          'terminal/tasks/kill-session/',
          rows.map((row) => row.id),
        )
        done?.()
        toast.success(text('terminateSent'))
        await client.invalidateQueries({ queryKey: queryKeys.resource(Session.path) })
      },
    })
  }
  return {
    terminate,
    mayTerminate: can('terminal.terminate_session'),
    canTerminate: (row: Row) => row['can_terminate'] === true && can('terminal.terminate_session'),
    canMonitor: (row: Row) => row['can_join'] === true && can('terminal.monitor_session'),
    canReplay: (row: Row) => row['can_replay'] === true && can('terminal.view_sessionreplay'),
    canDownload: (row: Row) => row['can_replay'] === true && can('terminal.download_sessionreplay'),
    download: (row: Row) => location.assign(`/api/v1/terminal/sessions/${row.id}/replay/download/`),
  }
}
