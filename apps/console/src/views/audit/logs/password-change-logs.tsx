import { PasswordChangeLog } from '@sallyport/contract/resources/audits'
import { useMessages } from '../../../kit/text.ts'
import { screens } from '../../../kit/screens/screens.tsx'

function Change({ row: { user, change_by: by } }: { row: PasswordChangeLog }) {
  const text = useMessages()
  return user === by
    ? text('audit:passwordChangedOwn', { user })
    : text('audit:passwordChangedBy', { user, by })
}

/** Whose password was changed, by whom and from where. */
export default screens(PasswordChangeLog, {
  list: {
    can: 'read',
    dateRange: true,
    columns: ['summary', 'user', 'change_by', 'remote_addr', 'datetime', 'id'],
    defaultColumns: ['summary', 'remote_addr', 'datetime'],
    minColumns: ['summary'],
    cells: { remote_addr: { widthPx: 140 } },
    extra: { summary: { label: 'audit:whatHappened', wrap: true, render: (row) => <Change row={row} /> } },
  },
})
