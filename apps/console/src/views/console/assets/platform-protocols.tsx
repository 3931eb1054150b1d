import { AssetCategories } from '@sallyport/contract/resources/categories'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../kit/api/call.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { isEmpty } from '../../../kit/form/rules.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { useKitText } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { type OfferedProtocol, ProtocolRows } from './protocol-rows.tsx'

/** What the protocols of a kind of platform can be. */
function useOfferedProtocols(category: string, type: string): OfferedProtocol[] {
  const { data } = useQuery({
    queryKey: ['constraints', category, type],
    queryFn: ({ signal }) => call(AssetCategories, 'constraints', { query: { category, type } }, { signal }),
    staleTime: Infinity,
  })
  return (data?.protocols ?? []).map(({ name, port, primary }) => ({ name, port, fixed: primary === true }))
}

/** The protocols a platform offers, and which of them every asset has or begins with. */
export default function PlatformProtocols(props: WidgetProps) {
  const t = useKitText()
  const category = useFieldValue(props.form, 'category')
  const type = useFieldValue(props.form, 'type')
  const offered = useOfferedProtocols(plainValue(category, t), plainValue(type, t))
  // A new platform begins with the protocol it cannot do without.
  const needed = offered.filter(({ fixed }) => fixed).map(({ name, port }) => ({ name, port }))
  return <ProtocolRows {...props} value={isEmpty(props.value) ? needed : props.value} offered={offered} />
}
