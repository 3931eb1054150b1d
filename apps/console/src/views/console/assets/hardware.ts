import { Host } from '@sallyport/contract/resources/assets'
import { isRecord } from '../../../kit/api/errors.ts'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath, type RowId } from '../../../kit/api/resource.ts'

/** Where the hardware of a host is corrected. */
export const hardwarePath = (id: RowId) => `/console/assets/assets/detail/${id}/update`

/** What is known of a host's hardware, label and value. */
export function useHardware(info: unknown): (readonly [label: string, value: string])[] {
  const metas = useMetadata(listPath(Host.path)).data?.actions?.GET?.['info']?.children ?? {}
  const known = isRecord(info) ? Object.entries(info).filter(([, value]) => value) : []
  return known.map(([name, value]) => [metas[name]?.label ?? name, String(value)])
}
