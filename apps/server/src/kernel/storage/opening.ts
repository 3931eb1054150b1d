import { ConfigError } from '../config.ts'
import { prepareFolder } from '../data-folder.ts'
import type { Database } from '../database/index.ts'
import type { Logger } from '../log.ts'
import { FolderCalls, isAway } from './calls.ts'
import { claimStorage } from './claim.ts'
import { folderStorage } from './folder.ts'
import type { ObjectStorage } from './index.ts'

/**
 * The folder as the storage of this database.
 * @throws ConfigError when it takes no files, does not answer within some seconds, or is the storage of another database
 */
export async function openStorage(
  database: Pick<Database, 'db'>,
  folder: string,
  log: Logger,
): Promise<ObjectStorage> {
  const calls = new FolderCalls(folder, log)
  try {
    await calls.run(() => prepareFolder('SALLYPORT_STORAGE', folder))
    return await claimStorage({ db: database.db, log }, folderStorage(folder, calls), folder)
  } catch (cause) {
    if (!isAway(cause)) throw cause
    throw new ConfigError(
      `The storage ${folder} does not answer; see that what is mounted there can be reached, or set SALLYPORT_STORAGE to the folder all servers of this database share.`,
      { cause },
    )
  }
}
