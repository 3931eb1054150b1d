import { gatewayPlatformId as platform } from '@sallyport/contract/assets/platforms'
import { Domain, Gateway } from '@sallyport/contract/resources/assets'
import { Platform } from '@sallyport/contract/resources/platforms'
import { listPath } from '../../../kit/api/resource.ts'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { hostForm } from './asset-form.ts'

/** The tab of a domain's page where its gateways are. */
export const gatewaysTab = 'GatewayList'

/** How a gateway is added and changed: as a host, on the one platform there is for it, in the domain it was begun in. */
const form = resourceForm(Gateway, {
  ...hostForm,
  fields: {
    ...hostForm.fields,
    platform: { relation: { path: Platform.path }, disabled: true },
    domain: {
      relation: { path: Domain.path, query: { fields_size: 'mini' } },
      required: true,
      disabled: true,
    },
  },
  presets: (search) => ({
    initial: { platform, is_active: true, domain: search.get('domain') ?? undefined },
  }),
  describedBy: () => `${listPath(Gateway.path)}?platform=${platform}`,
  base: '/console/assets/domains',
  nextTo: (saved) => {
    const { domain } = saved as Gateway
    const at = '/console/assets/domains'
    return domain ? `${at}/${domain.id}?activeTab=${gatewaysTab}` : at
  },
})

export default screens(Gateway, { form })
