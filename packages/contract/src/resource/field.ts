/**
 * The kinds of field a resource is declared with. Each builder answers a plain description; parsing, metadata, presenting and types are
 * derived from it, so nothing about a field is written twice.
 */
import type { PermissionName } from '../rbac/permissions.ts'
import type { ChoiceSet, FlagSet } from './choices.ts'

export interface FieldOptions {
  /** Must be sent on create and replace. Texts and lists must then not be empty. */
  required?: boolean
  /** Of a required text: it has to be sent, and may be empty. */
  blank?: boolean
  nullable?: boolean
  /** Set by the server; sent values are ignored. */
  readOnly?: boolean
  /** Never returned. */
  writeOnly?: boolean
  /** Taken on create only; ignored on update. */
  createOnly?: boolean
  /** `detail`: only in answers about one object (retrieve). */
  show?: 'always' | 'detail'
  /** Exact filter `?name=`. `contained`: people find it by parts, too, in any case (`containedIn`), as they do what is searched. */
  filter?: boolean | 'contained'
  /** Part of `?search=`: contains (true), prefix or exact. */
  search?: boolean | 'prefix' | 'exact'
  /** `?order=name` does not sort by it, though its kind could be (see `isSortable`). */
  order?: false
  default?: unknown
  /** Key into the label catalogue; else `app.model.field`, else the field's own name. */
  label?: string
  help?: string
  /** Returned only to holders of this permission. */
  readPermission?: PermissionName
  /** Taken only from holders of this permission; else ignored. */
  writePermission?: PermissionName
  /** No column of an exported table; in one that is filled in, its cells are empty. */
  exported?: false
  /** Of a list of objects: the parts an item is written as in a cell of a table, with slashes between them (`ssh/22`). */
  notation?: readonly string[]
  /** Of a text a call judges itself: clients are told that it is required, and one of these. */
  oneOf?: ChoiceSet
}

/**
 * What a text has to look like. `address`: letters, digits, underscore and `: / . ? = & # -`; `word`: letters, digits and underscore
 * (specification 1, section 5); `cron`: a schedule (cron.ts).
 */
export type TextPattern = 'email' | 'url' | 'slug' | 'address' | 'word' | 'cron'
export type Kind =
  | { kind: 'uuid' }
  | {
      kind: 'text'
      max: number | undefined
      min: number | undefined
      pattern: TextPattern | undefined
      multiline: boolean
      verbatim: boolean
    }
  | { kind: 'integer'; min: number | undefined; max: number | undefined }
  | { kind: 'float' }
  | { kind: 'boolean' }
  | { kind: 'datetime'; raw: boolean }
  | { kind: 'json' }
  /** Texts by name, one of which has to be `username`. */
  | { kind: 'attributes'; maxItems: number; max: number }
  /** Read `{value, label}` (or bare when `plain`), written as the value or `{value}`. */
  | { kind: 'choice'; choices: ChoiceSet; plain: boolean }
  /** A set of named bits, read as `[{value, label}]`, kept as one integer. */
  | { kind: 'flags'; flags: FlagSet }
  /** Read as an object of what it shows, or as the bare id when `plain`. */
  | {
      kind: 'one'
      to: string
      shows: readonly string[]
      integerId: boolean
      plain: boolean
      /** Told to clients as an object with fields of its own, not as a relation. */
      nested: boolean
    }
  /** `named`: of those that do not exist yet the name is sent, and they are made. */
  | { kind: 'many'; to: string; shows: readonly string[]; integerId: boolean; named: boolean }
  | { kind: 'object'; fields: Fields }
  | { kind: 'objects'; fields: Fields }
  | { kind: 'list'; max: number; maxItems: number; verbatim: boolean }
  | { kind: 'ids'; maxItems: number }
  /** Sent in the envelope, kept encrypted, never returned. */
  | { kind: 'secret'; max: number }
  | { kind: 'phone' }
  /** Sent as a part of multipart/form-data. */
  | { kind: 'file'; maxBytes: number; isPicture: boolean }
  /** Anything the server computes that has no better kind. */
  | { kind: 'value' }

declare const types: unique symbol
/**
 * `Read` as the API answers it, `Write` as it is sent, `Parsed` as the server's code gets it (references as ids, flags as bits), `Stored` as
 * the server's code finds it in a row: as parsed, but related objects with what they show.
 */
export interface Field<
  Read = unknown,
  Write = unknown,
  O extends FieldOptions = FieldOptions,
  Parsed = unknown,
  Stored = unknown,
> {
  readonly kind: Kind
  readonly options: O
  readonly [types]?: { read: Read; write: Write; parsed: Parsed; stored: Stored }
}
export type Fields = Readonly<Record<string, Field>>

/** People find it by parts, too: what is searched, and what says so (`filter: 'contained'`). */
export const isFoundByParts = ({ kind, options }: Field): boolean =>
  options.filter === 'contained' ||
  (options.filter === true && options.search === true && kind.kind === 'text')

/** The parameter that finds what a field contains: `?user__icontains=ann`. */
export const containedIn = (name: string): string => `${name}__icontains`

const sortableKinds: ReadonlySet<Kind['kind']> = new Set([
  'text',
  'integer',
  'float',
  'boolean',
  'datetime',
  'choice',
])
/** Whether a list may be sorted by it where it is a column: plain values everybody reads who reads the list. */
export const isSortable = ({ kind, options }: Field): boolean =>
  sortableKinds.has(kind.kind) &&
  options.order !== false &&
  options.writeOnly !== true &&
  options.show !== 'detail' &&
  options.readPermission === undefined

type OrNull<T, O> = O extends { nullable: true } ? T | null : T
type Typed<R, W, O extends FieldOptions, P = W, S = P> = Field<
  OrNull<R, O>,
  OrNull<W, O>,
  O & FieldOptions,
  OrNull<P, O>,
  OrNull<S, O>
>
type Nothing = { readonly default?: undefined } & FieldOptions
/** A default that a field would not take does not compile. */
type Defaulting<T> = FieldOptions & { default?: T | null }

function field<R, W, O extends FieldOptions, P = W, S = P>(
  kind: Kind,
  options: O | undefined,
): Typed<R, W, O, P, S> {
  return { kind, options: options ?? ({} as O) }
}

export const uuid = <const O extends FieldOptions = Nothing>(options?: O) =>
  field<string, string, O>({ kind: 'uuid' }, options)

type TextOptions = Defaulting<string> & {
  max?: number
  min?: number
  pattern?: TextPattern
  multiline?: boolean
  /** As a machine wrote it: not trimmed, and null characters, which no text of the database can hold, are left out instead of refused. */
  verbatim?: boolean
}
/**
 * A text; trimmed, without control characters. Without `max` it is a long text (bounded at 64 KiB), which like any `multiline` one may
 * have line breaks and tabs.
 */
export const text = <const O extends TextOptions = Nothing>(options?: O) => {
  const given: TextOptions = options ?? {}
  return field<string, string, O>(
    {
      kind: 'text',
      max: given.max,
      min: given.min,
      pattern: given.pattern,
      multiline: given.multiline ?? false,
      verbatim: given.verbatim ?? false,
    },
    options,
  )
}

type IntegerOptions = Defaulting<number> & { min?: number; max?: number }
export const integer = <const O extends IntegerOptions = Nothing>(options?: O) => {
  const given: IntegerOptions = options ?? {}
  return field<number, number, O>({ kind: 'integer', min: given.min, max: given.max }, options)
}
export const float = <const O extends Defaulting<number> = Nothing>(options?: O) =>
  field<number, number, O>({ kind: 'float' }, options)
export const boolean = <const O extends Defaulting<boolean> = Nothing>(options?: O) =>
  field<boolean, boolean, O>({ kind: 'boolean' }, options)

type DatetimeOptions = FieldOptions & { raw?: boolean }
/** Read as `2023/03/20 10:11:12 +0800` in the caller's zone; `raw` as ISO-8601 UTC. */
export const datetime = <const O extends DatetimeOptions = Nothing>(options?: O) => {
  const given: DatetimeOptions = options ?? {}
  return field<string, string, O>({ kind: 'datetime', raw: given.raw ?? false }, options)
}
export const json = <T = unknown, const O extends FieldOptions = Nothing>(options?: O) =>
  field<T, T, O>({ kind: 'json' }, options)

/**
 * What attributes of another directory stand for here, by the directory's names: `{"cas:user": "username"}`. One has to stand for
 * `username`, without which nobody could be told from anybody else.
 */
export const attributes = <const O extends FieldOptions = Nothing>(options?: O) =>
  field<Readonly<Record<string, string>>, Readonly<Record<string, string>>, O>(
    { kind: 'attributes', maxItems: 100, max: 128 },
    options,
  )

export interface Labeled<V> {
  value: V
  label: string
}
type ChoiceValue = string | number | boolean
export const choice = <const V extends ChoiceValue, const O extends Defaulting<V> = Nothing>(
  choices: ChoiceSet<V>,
  options?: O,
) => field<Labeled<V>, V | { value: V }, O, V>({ kind: 'choice', choices, plain: false }, options)
/** A choice that travels as its bare value. */
export const plainChoice = <const V extends ChoiceValue, const O extends Defaulting<V> = Nothing>(
  choices: ChoiceSet<V>,
  options?: O,
) => field<V, V, O>({ kind: 'choice', choices, plain: true }, options)
export const flags = <const V extends string, const O extends FieldOptions = Nothing>(
  set: FlagSet<V>,
  options?: O,
) => field<Labeled<V>[], (V | 'all' | { value: V })[], O, number>({ kind: 'flags', flags: set }, options)

type RelationOptions = FieldOptions & { integerId?: boolean; nested?: boolean }
type KeyIn<O> = O extends { integerId: true } ? number : string
type Reference = string | number | { id: string | number } | { pk: string | number }
/** One related object, kept in the column `<field>_id`. `to` is `app.model`; `shows` are the attributes returned. */
export const one = <const S extends readonly string[], const O extends RelationOptions = Nothing>(
  to: string,
  shows: S,
  options?: O,
) => {
  const given: RelationOptions = options ?? {}
  return field<Record<S[number], string>, Reference, O, KeyIn<O>, Record<S[number], string>>(
    {
      kind: 'one',
      to,
      shows,
      integerId: given.integerId ?? false,
      plain: false,
      nested: given.nested ?? false,
    },
    options,
  )
}
/** One related object that travels as its bare id. */
export const plainOne = <const O extends FieldOptions = Nothing>(to: string, options?: O) =>
  field<string, Reference, O, string>(
    { kind: 'one', to, shows: ['id'], integerId: false, plain: true, nested: false },
    options,
  )
type ManyOptions = RelationOptions & { named?: boolean }
/** Several related objects, kept in a link table. */
export const many = <const S extends readonly string[], const O extends ManyOptions = Nothing>(
  to: string,
  shows: S,
  options?: O,
) => {
  const given: ManyOptions = options ?? {}
  return field<
    Record<S[number], string>[],
    (Reference | { name: string })[],
    O,
    KeyIn<O>[],
    Record<S[number], string>[]
  >({ kind: 'many', to, shows, integerId: given.integerId ?? false, named: given.named ?? false }, options)
}

type OptionsIn<F> = F extends Field<unknown, unknown, infer O> ? O : FieldOptions
type Simplify<T> = { [K in keyof T]: T[K] } & {}
type Readable<F> = { [K in keyof F]: OptionsIn<F[K]> extends { writeOnly: true } ? never : K }[keyof F]
type Writable<F> = { [K in keyof F]: OptionsIn<F[K]> extends { readOnly: true } ? never : K }[keyof F]
type RequiredKeys<F> = {
  [K in Writable<F>]: OptionsIn<F[K]> extends { required: true } ? K : never
}[Writable<F>]
/** Fields as the API answers them. */
export type ReadsOf<F> = Simplify<{ [K in Readable<F>]: F[K] extends Field<infer R> ? R : never }>
/** Fields as they are sent, the required ones required. */
export type WritesOf<F> = Simplify<
  { [K in RequiredKeys<F>]: F[K] extends Field<unknown, infer W> ? W : never } & {
    [K in Exclude<Writable<F>, RequiredKeys<F>>]?: F[K] extends Field<unknown, infer W> ? W : never
  }
>
/** Fields as the server's code gets them once parsed. */
export type InputsOf<F> = Simplify<
  { [K in RequiredKeys<F>]: ParsedOf<F[K]> } & {
    [K in Exclude<Writable<F>, RequiredKeys<F>>]?: ParsedOf<F[K]>
  }
>
export type ParsedOf<F> = F extends Field<unknown, unknown, infer _O, infer P> ? P : never
/** Fields as the server's code finds them in a row; write-only ones are no part of it. */
export type StoredFieldsOf<F> = Simplify<{
  [K in Readable<F>]: StoredAs<F[K]>
}>
type StoredAs<F> = F extends Field<unknown, unknown, infer _O, infer _P, infer S> ? S : never

type WholeKeys<F> = {
  [K in Writable<F>]: OptionsIn<F[K]> extends { writeOnly: true }
    ? never
    : OptionsIn<F[K]> extends { required: true } | { default: {} }
      ? K
      : never
}[Writable<F>]
/** Fields of an object as the server's code gets them: whole, with what was there before or the defaults where they were not sent. */
export type WholeOf<F> = Simplify<
  { [K in WholeKeys<F>]: ParsedOf<F[K]> } & {
    [K in Exclude<Writable<F>, WholeKeys<F>>]?: ParsedOf<F[K]>
  }
>

/** The same as they are found in a row; what the server fills in may be there, and what is never shown is no part of it. */
export type StoredWholeOf<F> = Simplify<
  { [K in WholeKeys<F>]: StoredAs<F[K]> } & {
    [K in Exclude<Readable<F>, WholeKeys<F>>]?: StoredAs<F[K]>
  }
>

/**
 * An object kept in the row. What is not sent of one that is there stays as it is; of a new one it takes its default, and the required is
 * required. What is related inside is bound by its path (`flow.owner`).
 */
export const object = <const F extends Fields, const O extends FieldOptions = Nothing>(
  fields: F,
  options?: O,
) =>
  field<ReadsOf<F>, Partial<WritesOf<F>>, O, WholeOf<F>, StoredWholeOf<F>>(
    { kind: 'object', fields },
    options,
  )
/** A list of objects kept in the row; sent as a whole, and each of them whole. */
export const objects = <const F extends Fields, const O extends FieldOptions = Nothing>(
  fields: F,
  options?: O,
) =>
  field<ReadsOf<F>[], WritesOf<F>[], O, WholeOf<F>[], StoredWholeOf<F>[]>(
    { kind: 'objects', fields },
    options,
  )

type ListOptions = Defaulting<readonly string[]> & { max?: number; maxItems?: number; verbatim?: boolean }
/** A list of texts of at most `max` characters each, none of them blank; `verbatim` as of a text, and blanks are taken. */
export const list = <const O extends ListOptions = Nothing>(options?: O) => {
  const given: ListOptions = options ?? {}
  return field<string[], string[], O>(
    {
      kind: 'list',
      max: given.max ?? 128,
      maxItems: given.maxItems ?? 1000,
      verbatim: given.verbatim ?? false,
    },
    options,
  )
}

type IdsOptions = FieldOptions & { maxItems?: number }
/** A list of ids of rows, not checked to exist. */
export const ids = <const O extends IdsOptions = Nothing>(options?: O) => {
  const given: IdsOptions = options ?? {}
  return field<string[], readonly string[], O, string[]>(
    { kind: 'ids', maxItems: given.maxItems ?? 1000 },
    options,
  )
}

type SecretOptions = FieldOptions & { max?: number }
export const secret = <const O extends SecretOptions = Nothing>(options?: O) => {
  const given: SecretOptions = options ?? {}
  return field<string, string, O & { writeOnly: true }>({ kind: 'secret', max: given.max ?? 4096 }, {
    ...given,
    writeOnly: true,
  } as unknown as O & { writeOnly: true })
}
export const phone = <const O extends FieldOptions = Nothing>(options?: O) =>
  field<{ code: string; phone: number } | '', string, O>({ kind: 'phone' }, options)

type FileOptions = FieldOptions & { maxBytes: number }
/** A file of at most `maxBytes`; read as the address it is served at. */
export const file = <const O extends FileOptions>(options: O) =>
  field<string, File, O, File, string>(
    { kind: 'file', maxBytes: options.maxBytes, isPicture: false },
    options,
  )
/** The same of a picture: PNG, JPEG, GIF, WebP or ICO, nothing that could hold a script. */
export const picture = <const O extends FileOptions>(options: O) =>
  field<string, File, O, File, string>({ kind: 'file', maxBytes: options.maxBytes, isPicture: true }, options)
/** Whether what is sent for these fields may be multipart/form-data. */
export const takesFiles = (fields: Fields): boolean =>
  Object.values(fields).some(({ kind, options }) => kind.kind === 'file' && options.readOnly !== true)

type ReadOnly<O> = O & { readOnly: true }
/** Computed by the server, of no particular kind. */
export const value = <T = unknown, const O extends FieldOptions = Nothing>(options?: O) =>
  field<T, T, ReadOnly<O>>({ kind: 'value' }, { ...options, readOnly: true } as unknown as ReadOnly<O>)
/** Makes any field a computed, read-only one. */
export const computed = <R, W, O extends FieldOptions, P, S>(of: Field<R, W, O, P, S>) =>
  ({ kind: of.kind, options: { ...of.options, readOnly: true } }) as Field<R, W, ReadOnly<O>, P, S>
