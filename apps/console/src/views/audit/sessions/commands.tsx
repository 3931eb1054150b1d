import { Command } from '@sallyport/contract/resources/terminal'
import { screens } from '../../../kit/screens/screens.tsx'
import { openReplay } from '../../../kit/terminal/session-windows.ts'
import { accountCell } from '../../../kit/values/account-text.tsx'
import { commandCells, commandUnfolded } from './command-cells.tsx'

/** Every command typed in a recorded session, and the way to the moment it was typed in. */
export default screens(Command, {
  list: {
    can: 'read',
    dateRange: true,
    exclude: ['id', 'output'],
    defaultColumns: ['input', 'risk_level', 'user', 'asset', 'account', 'remote_addr', 'timestamp_display'],
    minColumns: ['input'],
    cells: { ...commandCells, account: accountCell },
    expanded: commandUnfolded,
    rowActions: [
      {
        name: 'replay',
        title: 'replay',
        permission: 'terminal.view_sessionreplay',
        call: ([row]) => row && openReplay(row.session, row.timestamp),
      },
    ],
  },
})
