import type { Resource } from '@sallyport/contract/resource/resource'
import type { ResourceRef, Row } from '../api/resource.ts'
import type { MessageKey } from '../text.ts'
import type { FieldsOf, ValuesOf } from './form-spec.ts'

/** The form of a resource, in a screen's words. */
export interface FormSpec<R extends Resource = Resource, Own extends string = string> extends FieldsOf<
  R,
  Own
> {
  resource: ResourceRef
  /** Where the form is sent in place of the resource's own path; may carry a query. */
  path?: string
  /** Values of a new form besides the server's defaults, and values sent besides those of the form's fields. */
  presets?: (search: URLSearchParams) => Presets<ValuesOf<R, NoInfer<Own>>>
  /** The list path whose description fits these values, where fields depend on a value. */
  describedBy?: Described<ValuesOf<R, NoInfer<Own>>>['by']
  /** Address of the list screen; found from this page's own unless said. */
  base?: string
  /** Where to go after saving; the list as it was left, unless said. That, too, is found as it was left where one came from it. */
  nextTo?: (saved: Row, updating: boolean) => string | undefined
  /** What is asked before these values are sent, where they do more than the person may mean. */
  asks?: Asked<ValuesOf<R, NoInfer<Own>>>['before']
  canAddAnother?: boolean
  /** Of a row the form shows only a part of: what the person changed is sent (PATCH); all fields unless said. */
  sends?: 'touched'
}
interface Presets<Values> {
  initial?: Values
  extra?: Values
}
interface Asked<Values> {
  before(values: Values): MessageKey | undefined
}
interface Described<Values> {
  by(values: Values): string
}

/** What a screen says of the form of a resource. */
export type FormDeclaration<R extends Resource, Own extends string = never> = Omit<
  FormSpec<R, Own>,
  'resource'
>

/** Declares the form of a resource; a field that is neither the resource's nor the form's own does not compile. */
export function resourceForm<R extends Resource, const Own extends string = never>(
  _resource: R,
  declaration: FormDeclaration<R, Own>,
): FormDeclaration<R, Own> {
  return declaration
}
