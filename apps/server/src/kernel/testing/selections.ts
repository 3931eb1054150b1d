/** Refuses, in every test, a selection of one table whose subselect would take columns of others for its own (see `subselect`). */
import { is, SQL, StringChunk } from 'drizzle-orm'
import { PgColumn, PgDialect } from 'drizzle-orm/pg-core'

type Build = (
  this: PgDialect,
  fields: readonly { field: unknown }[],
  options?: { isSingleTable?: boolean },
) => SQL
const dialect = PgDialect.prototype as unknown as { buildSelection: Build }
const build = dialect.buildSelection

dialect.buildSelection = function (fields, options) {
  if (options?.isSingleTable === true) for (const { field } of fields) refuseBareSubselect(field)
  return build.call(this, fields, options)
}

function refuseBareSubselect(field: unknown): void {
  const query = is(field, SQL.Aliased) ? field.sql : field
  if (!is(query, SQL)) return
  const { queryChunks: parts } = query
  const selects = parts.some((part) => is(part, StringChunk) && /\bselect\b/i.test(part.value.join('')))
  if (selects && parts.some((part) => is(part, PgColumn)))
    throw new Error(
      'A subselect among what is selected of one table loses the tables of its columns: use subselect()',
    )
}
