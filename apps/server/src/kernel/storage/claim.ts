import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { sql } from 'drizzle-orm'
import { ConfigError } from '../config.ts'
import { type Database, withTransaction } from '../database/index.ts'
import { ApiError } from '../errors.ts'
import type { Logger } from '../log.ts'
import { isAway } from './calls.ts'
import type { ObjectStorage } from './index.ts'
import { claimedStorage } from './tables.ts'

/** The object that says which storage this is: an id, which the database knows. */
const markerKey = 'storage-id'
const idBytes = 36

/**
 * Makes sure that this storage is the one the rows of the database speak of; the first server takes the one it has. `place` is what the
 * operator calls it. What is answered is good only as long as it is still that one: of a folder whose mount is gone nothing is taken for
 * stored, missing or deleted, and every call is refused with 503 `storage_away`.
 * @throws ConfigError when it is another: rows and objects of two storages would come apart without a word.
 */
export async function claimStorage(
  { db, log }: Pick<Database, 'db'> & { log: Logger },
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
    await storage.prepare()
    await storage.put(markerKey, Buffer.from(claimed))
    await tx.insert(claimedStorage).values({ id: claimed })
    return claimed
  })
  await storage.prepare()
  return whileClaimed(storage, id, place, log)
}

/** The storage as long as its marker holds this id. */
function whileClaimed(storage: ObjectStorage, id: string, place: string, log: Logger): ObjectStorage {
  let isHere = true
  const check = async () => {
    const found = await markerOf(storage).catch((error: unknown) => error)
    // It may be there, and does not answer: that is told by those who ask it.
    if (isAway(found)) throw found
    if (isHere && found !== id) log.error({ err: found, place }, 'the storage is away')
    if (!isHere && found === id) log.info({ place }, 'the storage is back')
    isHere = found === id
    if (!isHere) throw new ApiError(503, 'storage_away')
  }
  /** It may go away meanwhile. */
  const between = async <T>(work: () => Promise<T>): Promise<T> => {
    await check()
    try {
      return await work()
    } finally {
      await check()
    }
  }
  return {
    ...storage,
    put: (key, content) => between(() => storage.put(key, content)),
    delete: (...keys) => between(() => storage.delete(...keys)),
    get: async (key, range) => {
      const found = await storage.get(key, range)
      if (found === undefined) await check()
      return found
    },
    async *list(prefix) {
      await check()
      yield* storage.list(prefix)
      await check()
    },
    isUp: async () => {
      const isWritable = await storage.isUp()
      return check().then(
        () => isWritable,
        () => false,
      )
    },
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
    `The storage ${place} is not the one the database's recordings lie in; see that it is mounted, set SALLYPORT_STORAGE to the folder all servers of this database share, or, when that one is lost for good, write ${id} into ${place}/${markerKey}.`,
  )

const ofAnotherDatabase = (place: string) =>
  new ConfigError(
    `The storage ${place} holds the recordings of another database; set DATABASE_URL to that one, or SALLYPORT_STORAGE to an empty folder.`,
  )
