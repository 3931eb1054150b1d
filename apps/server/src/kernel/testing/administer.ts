import { Client } from 'pg'

/** Runs one statement as the superuser. */
export async function administer(superuserUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: superuserUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same server, another database. */
export function inDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** The same server, another role with the same password. */
export function asRole(url: string, name: string): string {
  const changed = new URL(url)
  changed.username = name
  return changed.href
}
