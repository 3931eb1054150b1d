import { PasswordChangeLog } from '@sallyport/contract/resources/audits'
import { screens } from '../../../kit/screens/screens.tsx'

/** Whose password was changed, by whom and from where. */
export default screens(PasswordChangeLog, {
  list: {
    can: 'read',
    dateRange: true,
    defaultColumns: ['user', 'change_by', 'remote_addr', 'datetime'],
    minColumns: ['user', 'change_by'],
  },
})
