/**
 * Ends the processes of a supervisor that is gone. They notice its end by themselves, but not when they are frozen, so this small process
 * waits for as long as they may take and then kills what is left. Each line of its input is a process that has begun
 * (`{pid, endsWithinMs}`) or ended (`{pid}`), or what is run when all of them are gone (`{last: {command, args, env}}`, or null); the end
 * of its input is the end of the supervisor.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const watched = new Map()
let last

/** Tells a process from a later one of the same number. */
function beginningOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')[19]
  } catch {
    return undefined
  }
}

async function end(pid, { endsWithinMs, beginning }) {
  const isThere = () => beginning !== undefined && beginningOf(pid) === beginning
  const before = performance.now() + endsWithinMs
  while (isThere() && performance.now() < before) await sleep(100)
  if (isThere()) process.kill(pid, 'SIGKILL')
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
for await (const line of createInterface({ input: process.stdin })) {
  const { pid, endsWithinMs, last: given } = JSON.parse(line)
  if (pid === undefined) last = given
  else if (endsWithinMs === undefined) watched.delete(pid)
  else watched.set(pid, { endsWithinMs, beginning: beginningOf(pid) })
}
await Promise.all([...watched].map(([pid, facts]) => end(pid, facts)))
if (last) spawn(last.command, last.args, { env: last.env, stdio: 'ignore' })
