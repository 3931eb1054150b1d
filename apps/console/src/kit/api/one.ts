import type { RowOf } from '@sallyport/contract/resource/resource'
import type { Singleton } from '@sallyport/contract/resource/singleton'
import { api, type CallOptions } from './client.ts'
import { listPath } from './resource.ts'

/** Where the row is, by the address clients of the compatible system know where there is another. */
export const pathOfOne = (of: Singleton): string => of.alias ?? listPath(of.path)

/** The row of a resource that has one. */
export const readOne = <S extends Singleton>(of: S, options?: CallOptions): Promise<RowOf<S>> =>
  api.get(pathOfOne(of), options)
