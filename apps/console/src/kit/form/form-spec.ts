import type { Field, Labeled } from '@sallyport/contract/resource/field'
import type { Resource } from '@sallyport/contract/resource/resource'
import type { ComponentType } from 'react'
import type { Access } from '../access/access.ts'
import type { Choice, FieldMeta } from '../api/metadata.ts'
import type { RelationSource } from '../relation/relation.ts'
import type { KitText, MessageKey } from '../text.ts'
import type { FormStore } from './form-store.ts'
import type { FormValues } from './paths.ts'

/** What screens say of their own values is kept by the kit, which knows them of no form in particular. */
interface Asked<Values, Value> {
  rule(value: Value, values: Values, t: KitText): string | undefined
  when(values: Values, situation: FormSituation): boolean
  toSend(value: Value, situation: FormSituation): unknown
  consequences(value: Value, values: Values): Partial<Values>
}
/** Why a value cannot be taken, for the person; undefined when it can. */
export type Rule<Values = FormValues, Value = unknown> = Asked<Values, Value>['rule']

/** The kit's own widgets; the metadata chooses one unless the screen does. */
export type WidgetName =
  | 'text'
  | 'textarea'
  | 'email'
  | 'password'
  | 'number'
  | 'switch'
  | 'checkbox'
  | 'radio'
  | 'select'
  | 'multiple'
  | 'tree'
  | 'datetime'
  | 'json'
  | 'attributes'
  | 'cron'
  | 'list'
  | 'phone'
  | 'relation'
  | 'relations'
  | 'objects'
  | 'file'

export interface WidgetProps {
  /** Ties the label, help and error to the control. */
  id: string
  name: string
  value: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  field: FieldDescription
  /** The form it stands in; a widget that depends on another field asks for that with `useFieldValue`. */
  form: FormStore
  disabled: boolean
  invalid: boolean
  required: boolean
  describedBy: string | undefined
  /** Editing a row that exists. */
  updating: boolean
}

/** What a form is about: a new row or one that exists, and what the person may do. */
export interface FormSituation {
  updating: boolean
  access: Access
}

/** Fixed, or by what is filled in, whether the row exists, and what the person may do. */
type When<Values> = boolean | Asked<Values, unknown>['when']

/** What a screen says about one field; everything left out comes from the metadata. */
export interface FieldSpec<Values = FormValues, Value = unknown> {
  label?: MessageKey
  help?: MessageKey
  placeholder?: MessageKey
  widget?: WidgetName | ComponentType<WidgetProps>
  choices?: readonly Choice[]
  /** Values that are shown but cannot be chosen now; `help` says why. */
  closed?: readonly Choice['value'][]
  /** Where the candidates of a relation come from; needed for every relation that can be chosen. */
  relation?: RelationSource
  required?: When<Values>
  /** Hidden fields keep their value, but are not sent and follow no rules. */
  hidden?: When<Values>
  disabled?: When<Values>
  initial?: Value
  /** What a copy takes over of the value of the row it is begun with; false: nothing. Names get a word before them unless said. */
  copied?: false | ((value: unknown) => unknown)
  rules?: readonly Rule<Values, Value>[]
  /** Whether the value goes to the server; fields the metadata does not know do not, unless said. */
  submit?: boolean
  /** Sealed on the way; password, token, private_key, secret and passphrase are, unless said. */
  secret?: boolean
  autoComplete?: string
  /** What a picture stands on where it is used, so that it is seen as it will be; the ground of pages unless said. */
  ground?: 'banner'
  /** The last touch to the value before it is sent; undefined leaves it out. */
  toSend?: Asked<Values, Value>['toSend']
  /** The columns of a list of objects, and what is said of them; all of them unless said. */
  columns?: FieldSpecs
  /** What else changes when this field changes. */
  consequences?: Asked<Values, Value>['consequences']
}

/** What is said of single fields, by name. */
export type FieldSpecs<Name extends string = string> = Readonly<
  Partial<Record<Name, FieldSpec<Readonly<Partial<Record<Name, unknown>>>>>>
>

/** A field of the form alone: nobody describes it, so it brings what it takes to be shown. */
export type OwnFieldSpec<Values = FormValues> = FieldSpec<Values> &
  Required<Pick<FieldSpec, 'widget' | 'label'>>

/** A field ready to be shown: the screen's words over the server's. */
export interface FieldDescription extends Omit<FieldSpec, 'label' | 'help' | 'placeholder' | 'columns'> {
  name: string
  label: string
  help: string | undefined
  placeholder: string | undefined
  meta: FieldMeta
  widget: WidgetName | ComponentType<WidgetProps>
  choices: readonly Choice[]
  /** Of a list of objects. */
  columns: readonly FieldDescription[] | undefined
}

/** A heading and its fields. */
export type FieldGroup<Name extends string = string> = readonly [title: MessageKey, fields: readonly Name[]]

/** The fields of a resource by name; a dot leads into a nested object. */
export type FieldName<R extends Resource> = {
  [K in keyof R['fields'] & string]: K | Nested<K, R['fields'][K]>
}[keyof R['fields'] & string]

type Nested<K extends string, F> =
  F extends Field<infer V>
    ? NonNullable<V> extends readonly unknown[]
      ? never
      : NonNullable<V> extends object
        ? `${K}.${keyof NonNullable<V> & string}`
        : never
    : never

/** A field's value in a form: choices bare; of relations and objects the form knows no more than that they are there. */
type FormValue<Read> =
  | ([Read] extends [Labeled<infer V>]
      ? V
      : Read extends readonly Labeled<string>[]
        ? readonly string[]
        : Read extends string | number | boolean
          ? Read
          : unknown)
  | ''
  | null
  | undefined
type ReadOf<F> = F extends Field<infer Read> ? NonNullable<Read> : never

/** The values of a form of a resource; a name that is neither the resource's nor the form's own does not compile. */
export type ValuesOf<R extends Resource, Own extends string = never> = string extends keyof R['fields']
  ? FormValues
  : { readonly [K in keyof R['fields'] & string]?: FormValue<ReadOf<R['fields'][K]>> } & {
      readonly [K in Own]?: unknown
    }
type ValueOf<R extends Resource, Name> = Name extends keyof R['fields']
  ? FormValue<ReadOf<R['fields'][Name]>>
  : unknown

/** Which fields a form of a resource has, and what the screen says of them. A name that is neither's does not compile. */
export interface FieldsOf<R extends Resource = Resource, Own extends string = string> {
  groups: readonly FieldGroup<FieldName<R> | NoInfer<Own>>[]
  fields?: {
    readonly [K in FieldName<R>]?: FieldSpec<ValuesOf<R, NoInfer<Own>>, ValueOf<R, K>>
  }
  /** Fields of the form alone, as a box to tick before a password can be typed, or `unshown` ones it only remembers. Not sent unless said. */
  own?: Readonly<Record<Own, OwnFieldSpec<ValuesOf<R, NoInfer<Own>>> | 'unshown'>>
}
