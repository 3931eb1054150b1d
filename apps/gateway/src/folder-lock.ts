import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ConfigError } from './config.ts'

/** SQLite's code for a database that another connection has locked. */
const busy = 5

/**
 * A folder belongs to one gateway at a time: a second one would take the recordings of the first's running sessions for leftovers.
 * The lock is that of an SQLite transaction on an empty database, a lock of the operating system on a file (Node.js has no call of its
 * own for it): the system takes it back however the process dies, so nothing stale is ever left, and it holds between containers that
 * share the folder.
 */
export class FolderLock {
  // The lock lasts as long as this is referenced.
  readonly #database: DatabaseSync

  private constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** Takes the folder, which must exist. Throws ConfigError when another gateway has it. */
  static async take(folder: string): Promise<FolderLock> {
    // Beside the lock file: closing that anywhere in this process would give the lock up.
    const holderFile = join(folder, 'process')
    const database = new DatabaseSync(join(folder, 'lock'), { timeout: 0 })
    try {
      database.exec('BEGIN EXCLUSIVE')
      await writeFile(holderFile, `${process.pid}\n`, { mode: 0o600 })
    } catch (error) {
      database.close()
      if (!(error instanceof Error && 'errcode' in error && error.errcode === busy)) throw error
      const holder = (await readFile(holderFile, 'utf8').catch(() => '')).trim()
      throw new ConfigError(`Another gateway (process ${holder || 'unknown'}) uses this folder: ${folder}`, {
        cause: error,
      })
    }
    return new FolderLock(database)
  }

  release(): void {
    this.#database.close()
  }
}
