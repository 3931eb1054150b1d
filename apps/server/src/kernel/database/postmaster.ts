import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../failure.ts'
import { readFileIfPresent } from '../data-folder.ts'

/** What a running PostgreSQL writes about itself into its data folder. */
export interface Postmaster {
  pid: number
  port: number
  /** Folder of the Unix socket; empty when it listens on loopback only. */
  socketDir: string
}

/** The PostgreSQL that serves `clusterDir`, whoever started it; undefined when none runs. */
export async function findPostmaster(clusterDir: string): Promise<Postmaster | undefined> {
  const text = await readFileIfPresent(join(clusterDir, 'postmaster.pid'))
  const [pidText, , , port, socketDir] = (text ?? '').split('\n')
  const pid = Math.abs(Number(pidText))
  if (!Number.isSafeInteger(pid) || pid === 0 || !servesCluster(pid, clusterDir)) return undefined
  return { pid, port: Number(port), socketDir: socketDir?.trim() ?? '' }
}

/** Whether the pid file names a process that lives but is something else: PostgreSQL itself would refuse to start. */
export async function pidFileNamesStranger(clusterDir: string): Promise<boolean> {
  const text = await readFileIfPresent(join(clusterDir, 'postmaster.pid'))
  const pid = Number(text?.split('\n', 1)[0])
  return Number.isSafeInteger(pid) && pid > 0 && commandLineOf(pid) !== '' && !servesCluster(pid, clusterDir)
}

/** Asks for a fast shutdown, after `graceMs` for an immediate one (the next start recovers from the log). */
export async function stopPostmaster(pid: number, clusterDir: string, graceMs: number): Promise<void> {
  signal(pid, 'SIGINT')
  if (await gone(pid, clusterDir, graceMs)) return
  signal(pid, 'SIGQUIT')
  if (await gone(pid, clusterDir, 3000)) return
  throw new Error(`The embedded PostgreSQL (process ${pid}) does not stop.`)
}

function servesCluster(pid: number, clusterDir: string): boolean {
  const words = commandLineOf(pid)
  return words.includes('postgres') && words.includes(clusterDir)
}

async function gone(pid: number, clusterDir: string, waitMs: number): Promise<boolean> {
  const deadline = Date.now() + waitMs
  while (servesCluster(pid, clusterDir)) {
    if (Date.now() > deadline) return false
    await sleep(20)
  }
  return true
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** Empty for a process that is gone or dead and not yet collected. */
function commandLineOf(pid: number): string {
  if (process.platform !== 'linux') {
    return spawnSync('ps', ['-p', String(pid), '-o', 'command='], {
      encoding: 'utf8',
      timeout: 5000,
    }).stdout.trim()
  }
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}
