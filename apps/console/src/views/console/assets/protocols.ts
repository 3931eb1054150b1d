import { isRecord } from '../../../kit/api/errors.ts'

interface ProtocolRow {
  name: string
  port: number | null
}

export function protocolsOf(value: unknown): ProtocolRow[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown) =>
    isRecord(item) && typeof item['name'] === 'string'
      ? [{ name: item['name'], port: typeof item['port'] === 'number' ? item['port'] : null }]
      : [],
  )
}
