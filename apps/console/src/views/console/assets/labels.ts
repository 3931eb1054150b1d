import type { Label } from '@sallyport/contract/resources/assets'
import { isRecord } from '../../../kit/api/errors.ts'

/** A label of an asset; one that is new has no id yet. */
export type AssetLabel = Pick<Label, 'name' | 'value'> & Partial<Pick<Label, 'id'>>

export const labelText = ({ name, value }: AssetLabel) => `${name}:${value}`

export function labelsOf(value: unknown): AssetLabel[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown): AssetLabel[] => {
    if (!isRecord(item)) return []
    const { id, name, value: own } = item
    if (typeof name !== 'string' || typeof own !== 'string') return []
    return [{ ...(typeof id === 'string' ? { id } : {}), name, value: own }]
  })
}
