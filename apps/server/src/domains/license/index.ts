import type { Domain } from '../../kernel/domain.ts'
import { licenceFiles, licenceServed, type LicenseServices } from './resources.ts'

export { createLicensing, type Licensing, toldIn } from './service.ts'

/** Which edition this is: what a licence allows, and how it comes in and goes. */
export const domain = (services: LicenseServices): Domain => ({
  name: 'license',
  singletons: [licenceServed(services)],
  services: [licenceFiles(services)],
})
