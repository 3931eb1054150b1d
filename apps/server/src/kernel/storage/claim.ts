import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { ConfigError } from '../config.ts'
import { type Database, withTransaction } from '../database/index.ts'
import type { ObjectStorage } from './index.ts'
import { claimedStorage } from './tables.ts'

/** The object that says which storage this is: an id, which the database knows. */
const markerKey = 'storage-id'
const idBytes = 36

/**
 * Makes sure that this storage is the one the rows of the database speak of; the first server takes the one it has. `place` is what the
 * operator calls it. The storage that is answered is up only as long as it is still that one.
 * @throws ConfigError when it is another: rows and objects of two storages would come apart without a word.
 */
export async function claimStorage(
  { db }: Pick<Database, 'db'>,
  storage: ObjectStorage,
  place: string,
): Promise<ObjectStorage> {
  const id = await withTransaction(db, async (tx) => {
    // Servers that start at once on a new database claim one after the other.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('sallyport:storage'))`)
    const [known] = await tx.select().from(claimedStorage)
    const found = await markerOf(storage)
    if (known !== undefined) {
      if (found !== known.id) throw anotherStorage(place, known.id)
      return known.id
    }
    // A marker with nothing beside it is what a claim left that was never committed.
    if (found !== undefined && !(await isEmpty(storage))) throw ofAnotherDatabase(place)
    const claimed = randomUUID()
    await storage.put(markerKey, Buffer.from(claimed))
    await tx.insert(claimedStorage).values({ id: claimed })
    return claimed
  })
  return {
    ...storage,
    isUp: async () => (await storage.isUp()) && (await markerOf(storage).catch(() => undefined)) === id,
  }
}

async function markerOf(storage: ObjectStorage): Promise<string | undefined> {
  const marker = await storage.get(markerKey, { start: 0, end: idBytes })
  return marker && (await text(marker.stream))
}

async function isEmpty(storage: ObjectStorage): Promise<boolean> {
  for await (const { key } of storage.list('')) if (key !== markerKey) return false
  return true
}

const anotherStorage = (place: string, id: string) =>
  new ConfigError(
    `The storage ${place} is not the one the database's recordings lie in; set SALLYPORT_STORAGE to the folder all servers of this database share, or, when that one is lost for good, write ${id} into ${place}/${markerKey}.`,
  )

const ofAnotherDatabase = (place: string) =>
  new ConfigError(
    `The storage ${place} holds the recordings of another database; set DATABASE_URL to that one, or SALLYPORT_STORAGE to an empty folder.`,
  )
