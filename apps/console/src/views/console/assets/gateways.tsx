import { gatewayPlatformId as platform } from '@sallyport/contract/assets/platforms'
import { Domain, Gateway } from '@sallyport/contract/resources/assets'
import { Platform } from '@sallyport/contract/resources/platforms'
import { useSearchParams } from 'react-router'
import { listPath, type Row } from '../../../kit/api/resource.ts'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { hostForm } from './asset-form.ts'

/** The tab of a domain's page where its gateways are. */
export const gatewaysTab = 'GatewayList'

const domainsAddress = '/console/assets/domains'
function gatewaysOf(saved: Row): string {
  const { domain } = saved as unknown as Gateway
  return domain ? `${domainsAddress}/${domain.id}?activeTab=${gatewaysTab}` : domainsAddress
}

const describedBy = () => `${listPath(Gateway.path)}?platform=${platform}`
const presets = (search: URLSearchParams) => ({
  initial: { platform, is_active: true, domain: search.get('domain') ?? undefined },
})

/** How a gateway is added and changed: as a host, on the one platform there is for it. `isFixed`: in the domain it was begun in. */
const formOf = (isFixed: boolean) =>
  resourceForm(Gateway, {
    ...hostForm,
    fields: {
      ...hostForm.fields,
      platform: { relation: { path: Platform.path }, disabled: true },
      domain: {
        relation: { path: Domain.path, query: { fields_size: 'mini' } },
        required: true,
        disabled: isFixed,
      },
    },
    presets,
    describedBy,
    base: domainsAddress,
    nextTo: gatewaysOf,
  })
const [inDomain, inAnyDomain] = [formOf(true), formOf(false)]

function useGatewayForm() {
  const [search] = useSearchParams()
  return search.has('domain') ? inDomain : inAnyDomain
}

export default screens(Gateway, { form: useGatewayForm })
