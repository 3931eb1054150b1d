import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
/** The pinned Node that runs everything but these scripts. */
export const node = join(root, 'node_modules/.bin/node')

/** The environment in which `node`, `vite` and their like are the pinned ones. */
export function pinnedEnv(extra = {}) {
  return { ...process.env, ...extra, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH ?? ''}` }
}

/** A failure the person at the terminal can act on: its message is shown, without a stack. */
export class ScriptError extends Error {}

/**
 * Runs a program to its end, with its output on this terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv}} [options]
 * @returns {Promise<number>} the exit code; 128 when a signal ended it
 */
export async function run(command, args, { cwd = root, env = pinnedEnv() } = {}) {
  const child = spawn(command, args, { cwd, env, stdio: 'inherit' })
  return await new Promise((done, reject) => {
    child.once('error', reject)
    child.once('close', (code) => done(code ?? 128))
  })
}

/** Installs the npm packages when they are missing or not those of the lockfile. */
export async function installPackages() {
  const lockfile = readFileSync(join(root, 'package-lock.json'))
  const digest = createHash('sha256').update(lockfile).digest('hex')
  const stamp = join(root, 'node_modules/.installed-from')
  if (existsSync(node) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return
  console.log('Installing packages …')
  // Not `npm ci`: it refuses a lockfile without the optional binaries of platforms that a registry does not carry.
  const code = await run('npm', ['install', '--no-save', '--include=dev', '--loglevel=error'])
  if (code !== 0) {
    throw new ScriptError(
      'The packages could not be installed; see above what npm says, then run this again.',
    )
  }
  writeFileSync(stamp, digest)
}
