import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { idOf, usePlatform } from './platform.ts'
import { type OfferedProtocol, ProtocolRows } from './protocol-rows.tsx'

/** The protocols of an asset: those its platform offers. */
export default function AssetProtocols(props: WidgetProps) {
  const platform = usePlatform(idOf(useFieldValue(props.form, 'platform')))
  const offered = (platform.data?.protocols ?? []).map(
    ({ name, port, primary, required }): OfferedProtocol => ({
      name,
      port,
      fixed: primary || required,
    }),
  )
  return <ProtocolRows {...props} offered={offered} />
}
