import { isRecord } from '../../../kit/api/errors.ts'
import type { ProtocolRow } from './protocol-rows.tsx'

export function protocolsOf(value: unknown): ProtocolRow[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown) =>
    isRecord(item) && typeof item['name'] === 'string'
      ? [{ name: item['name'], port: typeof item['port'] === 'number' ? item['port'] : null }]
      : [],
  )
}
