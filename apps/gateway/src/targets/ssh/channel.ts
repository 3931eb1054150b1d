import type { ClientChannel } from 'ssh2'
import type { ExitResult, TargetChannel, TerminalSize } from '../../traffic/ports.ts'
import { isOpen, mendChannel } from '../../streams/ssh2.ts'

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
 * An open channel of ssh2 as the session sees it. `exited` settles with what the target said about the end; `lost` when the channel
 * went without a word.
 */
export function targetChannel(stream: ClientChannel, hasTerminal: boolean): TargetChannel {
  mendChannel(stream)
  let result: ExitResult | undefined
  let cause: Error | undefined
  const exited = new Promise<ExitResult>((resolve) => {
    stream.on('exit', (code: number | null, signal?: string) => {
      result =
        code === null
          ? { kind: 'signal', name: (signal ?? 'SIGTERM').replace(/^SIG/, '') }
          : { kind: 'status', code }
      resolve(result)
    })
    stream.on('close', () => resolve(result ?? { kind: 'lost', cause }))
  })
  stream.on('error', (error: Error) => (cause ??= error))
  // Standard error is on the terminal too; nobody reads this one.
  if (hasTerminal) stream.stderr.resume()
  return {
    stdin: stream,
    stdout: stream,
    stderr: hasTerminal ? undefined : stream.stderr,
    resize({ cols, rows }: TerminalSize) {
      if (isOpen(stream)) stream.setWindow(rows, cols, 0, 0)
    },
    signal(name) {
      const known = name.replace(/^SIG/, '')
      if (SIGNALS.has(known) && isOpen(stream)) stream.signal(known)
    },
    exited,
    destroy() {
      stream.resume()
      stream.stderr.resume()
      if (isOpen(stream)) stream.close()
    },
  }
}
