/** What is particular to assets that are databases. */
import type { FieldMetadata } from '@sallyport/contract'
import { invalid } from '../../kernel/errors.ts'

/** One logs in to a database of these servers, and not to the server. */
const loggedInto = new Set(['mongodb', 'postgresql'])

/** @throws ValidationError where the name of the database is missing */
export function checkDatabase(type: string, name: string | undefined): void {
  if (loggedInto.has(type) && !name) throw invalid('db_name', 'required')
}

export const certificateFields = ['ca_cert', 'client_cert', 'client_key'] as const
const secureFields = ['use_ssl', ...certificateFields, 'allow_invalid_cert'] as const
/** What can be said of TLS to databases of a type whose accounts are verified over it or that need it; of others nothing. */
const secureFieldsOf: Readonly<Record<string, readonly string[]>> = {
  mysql: secureFields,
  mariadb: secureFields,
  postgresql: secureFields,
  redis: ['use_ssl', ...certificateFields],
  mongodb: ['use_ssl', 'ca_cert', 'client_key', 'allow_invalid_cert'],
}

/** Narrows the description of a database's fields to what one of this type has. */
export function describeDatabase(fields: Record<string, FieldMetadata>, type: string): void {
  if (fields['db_name']) fields['db_name'].required = loggedInto.has(type)
  for (const name of secureFields) if (!secureFieldsOf[type]?.includes(name)) delete fields[name]
}
