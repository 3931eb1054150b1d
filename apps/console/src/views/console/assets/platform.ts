import { Platform } from '@sallyport/contract/resources/platforms'
import { isRecord } from '../../../kit/api/errors.ts'
import { useDetail } from '../../../kit/api/hooks.ts'
import type { RowId } from '../../../kit/api/resource.ts'

/** A protocol a platform offers, as its own row lists it. */
export type PlatformProtocol = Platform['protocols'][number]

/** The platform with this id, with its protocols and what it can do. */
export function usePlatform(id: RowId | undefined) {
  return useDetail<Platform>(Platform.path, id)
}

/** The id in a relation's value: a row, `{pk}`, or the id itself. */
export function idOf(value: unknown): RowId | undefined {
  const id = isRecord(value) ? (value['id'] ?? value['pk']) : value
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
