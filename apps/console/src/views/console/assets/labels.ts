import { isRecord } from '../../../kit/api/errors.ts'

export interface AssetLabel {
  id?: string
  name: string
  value: string
}

export const labelText = ({ name, value }: AssetLabel) => `${name}:${value}`

export function labelsOf(value: unknown): AssetLabel[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown): AssetLabel[] => {
    if (!isRecord(item)) return []
    const { id, name, value: own } = item
    if (typeof name !== 'string' || typeof own !== 'string') return []
    return [{ ...(typeof id === 'string' ? { id } : {}), name, value: own }]
  })
}
