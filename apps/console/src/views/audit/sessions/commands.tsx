import { Command } from '@sallyport/contract/resources/terminal'
import { screens } from '../../../kit/screens/screens.tsx'
import { openReplay } from '../../../kit/terminal/session-windows.ts'
import { accountCell } from '../../../asset-words/account-text.tsx'
import { PairText } from '../../../kit/values/pair-text.tsx'
import { commandCells, commandUnfolded } from './command-cells.tsx'

/** Every command typed in a recorded session, and the way to the moment it was typed in. */
export default screens(Command, {
  list: {
    can: 'read',
    dateRange: true,
    exclude: ['id', 'output'],
    defaultColumns: ['input', 'risk_level', 'user', 'asset', 'account', 'timestamp_display'],
    minColumns: ['input'],
    cells: {
      ...commandCells,
      user: { widthPx: 125, render: ({ user }) => <PairText text={user} /> },
      asset: { widthPx: 140, render: ({ asset }) => <PairText text={asset} /> },
      account: { ...accountCell, widthPx: 115 },
      remote_addr: { widthPx: 112 },
      timestamp_display: { widthPx: 115 },
    },
    expanded: commandUnfolded,
    rowActions: [
      {
        name: 'replay',
        title: 'audit:replay',
        permission: 'terminal.view_sessionreplay',
        call: ([row]) => row && openReplay(row.session, row.timestamp),
      },
    ],
  },
})
