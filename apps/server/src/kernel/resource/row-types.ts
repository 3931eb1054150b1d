/** The types of a resource's rows and payloads in the server's code, derived from its declaration and its table. */
import type { Fields, InputsOf, ParsedOf, StoredFieldsOf } from '@sallyport/contract'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { StoredRow } from '../events.ts'

/** A table whose columns are called as the fields are; `one()` fields have `<field>_id`, flags an integer, secrets a text. */
export type ResourceTable = PgTable & { id: PgColumn }

type Simplify<T> = { [K in keyof T]: T[K] } & {}
type Columns<T> = T extends { _: { columns: infer C } } ? C : never
type DataOf<C> = C extends { _: { data: infer D } } ? D : never
/** As the driver answers a bare statement: dates and big integers as texts. */
type Raw<C> = C extends { _: { data: infer D; columnType: infer K } }
  ? D extends Date
    ? string
    : K extends 'PgBigInt53'
      ? string
      : D
  : never
type NullOf<C> = C extends { _: { notNull: true } } ? never : null
/** The narrower of what the column and the field say of a value. */
type Narrower<A, B> = A extends B ? A : B extends A ? B : A
type ColumnValue<F, K, C> =
  | NullOf<C>
  | (K extends keyof StoredFieldsOf<F>
      ? Narrower<NonNullable<Raw<C>>, NonNullable<StoredFieldsOf<F>[K]>>
      : NonNullable<Raw<C>>)

/** Fields of any kind have no types to tell. */
type IsAny<F> = string extends keyof F ? true : false

/** The columns of a stored row. */
export type ColumnsOf<F extends Fields, T> =
  IsAny<F> extends true
    ? StoredRow
    : { readonly [K in keyof Columns<T> & string]: ColumnValue<F, K, Columns<T>[K]> }
/** A stored row as it was read: all columns, and what its other fields show. */
export type StoredOf<F extends Fields, T> =
  IsAny<F> extends true
    ? StoredRow
    : Simplify<
        ColumnsOf<F, T> & {
          readonly [K in Exclude<keyof StoredFieldsOf<F>, keyof Columns<T>> & string]: StoredFieldsOf<F>[K]
        }
      >
type ColumnInput<C> = DataOf<C> | NullOf<C>
/** What a field says of its value, where it says anything. */
type Told<P> = unknown extends P ? never : P
/** A payload to store: values of fields, and of columns that are no fields. */
export type PreparedOf<F extends Fields, T> =
  IsAny<F> extends true
    ? Record<string, unknown>
    : Simplify<
        {
          -readonly [K in keyof F]?: K extends keyof Columns<T>
            ? Told<ParsedOf<F[K]>> | ColumnInput<Columns<T>[K]>
            : ParsedOf<F[K]>
        } & { [K in Exclude<keyof Columns<T>, keyof F>]?: ColumnInput<Columns<T>[K]> }
      >
/** A parsed payload of a create: what is required is there. */
export type CreatedInputOf<F extends Fields> = IsAny<F> extends true ? Record<string, unknown> : InputsOf<F>
export type ChangedInputOf<F extends Fields> =
  IsAny<F> extends true ? Record<string, unknown> : Partial<InputsOf<F>>
/** As it was sent, before the row is looked at: of an object, any part. */
export type SentOf<P> = P extends readonly unknown[] | Date
  ? P
  : P extends object
    ? { [K in keyof P]?: SentOf<P[K]> }
    : P
/** With what work before the transaction may have put beside it. */
export type AfterAhead<I, F extends Fields, T> =
  IsAny<F> extends true ? I : I & Omit<PreparedOf<F, T>, keyof I>
