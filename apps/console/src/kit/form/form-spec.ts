import type { ComponentType } from 'react'
import type { Access } from '../access/access.ts'
import type { Choice, FieldMeta } from '../api/metadata.ts'
import type { RelationSource } from '../relation/relation.ts'
import type { KitText, MessageKey } from '../text.ts'
import type { FormValues } from './paths.ts'

/** Why a value cannot be taken, for the person; undefined when it can. */
export type Rule = (value: unknown, values: FormValues, t: KitText) => string | undefined

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
  | 'list'
  | 'phone'
  | 'relation'
  | 'relations'

export interface WidgetProps {
  /** Ties the label, help and error to the control. */
  id: string
  name: string
  value: unknown
  onChange: (value: unknown) => void
  onBlur: () => void
  field: FieldDescription
  /** All values of the form, for a screen's own widget that depends on another field. */
  values: FormValues
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
type When = boolean | ((values: FormValues, situation: FormSituation) => boolean)

/** What a screen says about one field; everything left out comes from the metadata. */
export interface FieldSpec {
  label?: MessageKey
  help?: MessageKey
  placeholder?: MessageKey
  widget?: WidgetName | ComponentType<WidgetProps>
  choices?: readonly Choice[]
  /** Where the candidates of a relation come from; needed for every relation that can be chosen. */
  relation?: RelationSource
  required?: When
  /** Hidden fields keep their value and are sent, but follow no rules. */
  hidden?: When
  disabled?: When
  initial?: unknown
  rules?: readonly Rule[]
  /** Whether the value goes to the server; fields the metadata does not know do not, unless said. */
  submit?: boolean
  /** Sealed on the way; password, token, private_key, secret and passphrase are, unless said. */
  secret?: boolean
  autoComplete?: string
  /** What else changes when this field changes. */
  consequences?: (value: unknown, values: FormValues) => FormValues
}

/** A field ready to be shown: the screen's words over the server's. */
export interface FieldDescription extends Omit<FieldSpec, 'label' | 'help' | 'placeholder'> {
  name: string
  label: string
  help: string | undefined
  placeholder: string | undefined
  meta: FieldMeta
  widget: WidgetName | ComponentType<WidgetProps>
  choices: readonly Choice[]
}

/** A heading and its fields. */
export type FieldGroup = readonly [title: MessageKey, fields: readonly string[]]
