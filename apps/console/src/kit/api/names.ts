import type { FilterOf, Resource, RowOf } from '@sallyport/contract/resource/resource'
import type { QueryValue } from './client.ts'
import type { Row } from './resource.ts'

/** A row of a resource declared in the contract. */
export type RowFor<T extends Resource> = Extract<RowOf<T>, Row>

/** The fields of a resource's rows. */
export type FieldOf<T extends Resource> = keyof RowOf<T> & string

/** What a screen can ask a list of a resource for, besides page and order. */
export type QueryOf<T extends Resource> = {
  readonly [K in FilterOf<T> | 'fields_size' | 'search']?: QueryValue
}
