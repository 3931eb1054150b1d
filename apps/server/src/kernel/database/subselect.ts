import { type SQL, sql } from 'drizzle-orm'

/**
 * A subselect among what is selected of one table (or returned by a write). Drizzle writes the columns it finds in the outermost parts of such
 * SQL without their tables, where a subselect takes them for its own; those further in it leaves as they are.
 */
export const subselect = <T>(select: SQL<T>): SQL<T> => sql<T>`(${select})`
