import { Host } from '@sallyport/contract/resources/assets'
import { screens } from '../../../kit/screens/screens.tsx'
import { hostForm } from './host-form.ts'

/** Hosts are listed with all assets; here they are added and changed. */
export default screens(Host, { form: hostForm })
