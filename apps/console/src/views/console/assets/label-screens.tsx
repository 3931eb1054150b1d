import { Label } from '@sallyport/contract/resources/assets'
import { screens } from '../../../kit/screens/screens.tsx'
import { assetField } from '../sources.ts'

/** Labels, and which assets carry them. A label has no page of its own. */
export default screens(Label, {
  list: {
    exclude: ['id', 'category'],
    unread: ['assets'],
    defaultColumns: ['name', 'value', 'asset_count', 'date_created', 'comment', 'org_name'],
    minColumns: ['name', 'value'],
  },
  form: {
    groups: [['basic', ['name', 'value', 'assets', 'comment']]],
    fields: { assets: { ...assetField, initial: [] } },
  },
})
