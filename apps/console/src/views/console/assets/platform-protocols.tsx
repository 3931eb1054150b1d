import { useQuery } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { api } from '../../../kit/api/client.ts'
import { isRecord } from '../../../kit/api/errors.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { type OfferedProtocol, type ProtocolRow, ProtocolRows } from './protocol-rows.tsx'

interface Constraints {
  protocols?: { name: string; port: number; primary?: boolean }[]
}

interface PlatformProtocolRow extends ProtocolRow {
  id?: number
  required: boolean
  default: boolean
  setting?: unknown
}

/** What the protocols of a kind of platform can be. */
export function useOfferedProtocols(category: string, type: string): OfferedProtocol[] {
  const { data } = useQuery({
    queryKey: ['constraints', category, type],
    queryFn: ({ signal }) =>
      api.get<Constraints>('assets/categories/constraints/', { query: { category, type }, signal }),
    staleTime: Infinity,
  })
  return (data?.protocols ?? []).map(({ name, port, primary }) => ({ name, port, fixed: primary === true }))
}

function rowsOf(value: unknown): PlatformProtocolRow[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown): PlatformProtocolRow[] =>
    isRecord(item) && typeof item['name'] === 'string'
      ? [
          {
            ...(typeof item['id'] === 'number' && { id: item['id'] }),
            name: item['name'],
            port: typeof item['port'] === 'number' ? item['port'] : null,
            required: item['required'] === true,
            default: item['default'] === true,
            ...(isRecord(item['setting']) && { setting: item['setting'] }),
          },
        ]
      : [],
  )
}

/** The protocols a platform offers, and which of them every asset has or begins with. */
export default function PlatformProtocols({ value, values, onChange, disabled, describedBy }: WidgetProps) {
  const t = useKitText()
  const text = useMessages()
  const offered = useOfferedProtocols(plainValue(values['category'], t), plainValue(values['type'], t))
  const make = ({ name, port }: OfferedProtocol): PlatformProtocolRow => ({
    name,
    port,
    required: false,
    default: false,
  })
  const rows = rowsOf(value)
  // A new platform begins with the protocol it cannot do without.
  const shown = rows.length > 0 ? rows : offered.filter(({ fixed }) => fixed).map(make)
  return (
    <ProtocolRows<PlatformProtocolRow>
      offered={offered}
      value={shown}
      disabled={disabled}
      describedBy={describedBy}
      make={make}
      onChange={onChange}
      renderExtra={(row, change) => (
        <>
          <Checkbox
            checked={row.required}
            disabled={disabled}
            onChange={(event) => change({ ...row, required: event.target.checked })}
          >
            {text('protocolRequired')}
          </Checkbox>
          <Checkbox
            checked={row.default}
            disabled={disabled}
            onChange={(event) => change({ ...row, default: event.target.checked })}
          >
            {text('protocolDefault')}
          </Checkbox>
        </>
      )}
    />
  )
}
