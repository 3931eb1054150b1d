import { Host } from '@sallyport/contract/resources/assets'
import { resourceScreens } from '../../../kit/screens/resource-screens.tsx'
import { hostForm } from './host-form.ts'

const { create, update } = resourceScreens({
  resource: Host,
  list: {},
  form: hostForm,
  detail: { tabs: [] },
})

/** Hosts are listed with all assets; here they are added and changed. */
export default { create, update }
