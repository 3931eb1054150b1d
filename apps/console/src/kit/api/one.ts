import type { RowOf } from '@sallyport/contract/resource/resource'
import type { Singleton } from '@sallyport/contract/resource/singleton'
import { api, type CallOptions } from './client.ts'
import { listPath } from './resource.ts'

/** The row of a resource that has one. */
export const readOne = <S extends Singleton>(of: S, options?: CallOptions): Promise<RowOf<S>> =>
  api.get(listPath(of.path), options)
