import { Host } from '@sallyport/contract/resources/assets'
import { rules } from '../../../kit/form/rules.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { assetListAddress } from './categories.ts'

/** What is known of a host's hardware, corrected by hand. */
export default screens(Host, {
  form: {
    groups: [
      ['basic', ['name', 'address']],
      ['hardware', ['info']],
    ],
    fields: { address: { rules: [rules.noEmoji] } },
    sends: 'touched',
    base: assetListAddress,
    nextTo: () => assetListAddress,
  },
})
