import { access, constants, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { ConfigError } from './config.ts'
import { codeOf } from './failure.ts'

const called = { SALLYPORT_DATA: 'data', SALLYPORT_STORAGE: 'storage' } as const

/**
 * Makes sure that a folder of the server's own, as the variable names it, exists and takes files. Others may pass through it (0711)
 * because a run as root keeps files of the database's account below the data folder; what lies in it is closed file by file.
 * @throws ConfigError when it cannot be created or written.
 */
export async function prepareFolder(
  variable: 'SALLYPORT_DATA' | 'SALLYPORT_STORAGE',
  folder: string,
): Promise<void> {
  try {
    await makeFolder(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(folder, `.probe-${process.pid}`)
    await writeFile(probe, '')
    await rm(probe)
  } catch (cause) {
    throw new ConfigError(
      `The ${called[variable]} folder ${folder} is not writable (${codeOf(cause)}); give this account the right to it or set ${variable} to another folder.`,
      { cause },
    )
  }
}

/** Not mkdir's own `recursive`: where a folder answers ENOENT to every name (/proc), that one never returns. */
async function makeFolder(path: string): Promise<void> {
  const missing = []
  for (let current = path; !(await isThere(current)); current = dirname(current)) missing.push(current)
  for (const folder of missing.toReversed()) {
    await mkdir(folder, { mode: 0o711 }).catch((error: unknown) => {
      // Another process starting on the same folder may have been faster.
      if (codeOf(error) !== 'EEXIST') throw error
    })
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/**
 * The text kept in a file only this account may read; made by `generate` at the first call. Two processes that start at
 * once get the same text.
 */
export async function readOrCreatePrivateFile(path: string, generate: () => string): Promise<string> {
  const present = await readFileIfPresent(path)
  if (present !== undefined) return present
  const unfinished = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(unfinished, `${generate()}\n`, { mode: 0o600, flag: 'wx', flush: true })
  try {
    // A link, unlike a rename, never replaces what another process has just put there.
    await link(unfinished, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(unfinished, { force: true })
  }
  return (await readFile(path, 'utf8')).trim()
}

/** The trimmed text of a file, or undefined when there is none. */
export async function readFileIfPresent(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
