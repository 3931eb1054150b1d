import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** As `nice` has it: about three times the processor time of a program that asks for nothing, where all want more than there is. */
const niceness = -5

/**
 * One process here serves the sessions of all people, where OpenSSH has one for each: on a busy machine a keystroke would wait until every
 * other program had its turn. So the gateway goes before them, where the system lets it (root, or CAP_SYS_NICE) and nobody has said
 * otherwise. All threads that are there do, or collecting garbage would wait for those that do not.
 */
export function goFirst(): void {
  if (process.platform !== 'linux' || getPriority() !== 0) return
  try {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness)
    if (leadsItsSession()) writeFileSync('/proc/self/autogroup', String(niceness))
  } catch {
    // It goes with all others then.
  }
}

/**
 * Where the kernel shares out time by session first (sched(7), autogroup), what threads ask for counts only among themselves: so the session
 * asks, too, when there is nobody else in it.
 */
function leadsItsSession(): boolean {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(session) === process.pid
}

/** The calling thread goes with other programs, whatever the thread it was started by does. */
export function standBack(): void {
  if (process.platform === 'linux' && getPriority() < 0) setPriority(0)
}
