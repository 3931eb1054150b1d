import type { ClientSession } from '@sallyport/ssh'
import { targetError } from './errors.ts'
import type { ExitResult, TargetChannel, TerminalSize } from '../../traffic/ports.ts'

const SIGNALS = new Set([
  'ABRT',
  'ALRM',
  'FPE',
  'HUP',
  'ILL',
  'INT',
  'KILL',
  'PIPE',
  'QUIT',
  'SEGV',
  'TERM',
  'USR1',
  'USR2',
])

/**
 * A session on the target as the traffic sees it. `exited` settles with what the target said about the end; `lost` when the session went without a word.
 * `closed`: what was wrong when the connection ended, where only that is told: network devices end a shell by closing it.
 */
export function targetChannel(
  session: ClientSession,
  {
    where,
    hasTerminal,
    closed,
  }: { where: string; hasTerminal: boolean; closed?: Promise<Error | undefined> },
): TargetChannel {
  const exited = async (): Promise<ExitResult> => {
    const exit = await session.exited
    if (exit) return exit
    const error = await session.gone
    if (!error) return { kind: 'lost', cause: undefined }
    return { kind: 'lost', cause: closed ? await closed : targetError(error, where) }
  }
  // Standard error is on the terminal too; nobody reads this one.
  if (hasTerminal) session.stderr.resume()
  return {
    stdin: session,
    stdout: session,
    stderr: hasTerminal ? undefined : session.stderr,
    resize({ cols, rows }: TerminalSize) {
      session.windowChange({ cols, rows, widthPixels: 0, heightPixels: 0 })
    },
    signal(name) {
      const known = name.replace(/^SIG/, '')
      if (SIGNALS.has(known)) session.signal(known)
    },
    endReading() {
      session.sendEow()
    },
    exited: exited(),
    destroy() {
      session.destroy()
    },
  }
}
