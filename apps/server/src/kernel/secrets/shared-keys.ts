import { eq } from 'drizzle-orm'
import type { Executor } from '../database/index.ts'
import type { Secrets } from './index.ts'
import { serverKeys } from './tables.ts'

export interface SharedKey {
  publicKey: string
  privateKey: string
}

/** A key all nodes share, kept sealed. The first one made counts: `create` is only asked when there is none. */
export async function sharedKey(
  db: Executor,
  secrets: Pick<Secrets, 'seal' | 'unseal'>,
  name: string,
  create: () => Promise<SharedKey>,
): Promise<SharedKey> {
  const read = async () => {
    const [row] = await db.select().from(serverKeys).where(eq(serverKeys.name, name))
    return row && { publicKey: row.public_key, privateKey: secrets.unseal(row.private_key) }
  }
  const known = await read()
  if (known !== undefined) return known
  const { publicKey, privateKey } = await create()
  await db
    .insert(serverKeys)
    .values({ name, public_key: publicKey, private_key: secrets.seal(privateKey) })
    .onConflictDoNothing()
  const kept = await read()
  if (kept === undefined) throw new Error(`the key ${name} was not stored`)
  return kept
}
