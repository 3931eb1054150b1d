import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { idOf, usePlatform } from './platform.ts'
import { type OfferedProtocol, type ProtocolRow, ProtocolRows } from './protocol-rows.tsx'
import { protocolsOf } from './protocols.ts'

/** The protocols of an asset: those its platform offers. */
export default function AssetProtocols({ value, values, onChange, disabled, describedBy }: WidgetProps) {
  const platform = usePlatform(idOf(values['platform']))
  const offered = (platform.data?.protocols ?? []).map(
    ({ name, port, primary, required }): OfferedProtocol => ({
      name,
      port,
      fixed: primary || required,
    }),
  )
  return (
    <ProtocolRows<ProtocolRow>
      offered={offered}
      value={protocolsOf(value)}
      disabled={disabled}
      describedBy={describedBy}
      make={({ name, port }) => ({ name, port })}
      onChange={onChange}
    />
  )
}
