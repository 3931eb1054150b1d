import { CommandRefusedError } from '../session/failures.ts'
import type { TrafficSession } from '../session/traffic.ts'

/** The command a session may be opened with, before the target hears of it; throws when it may not. Undefined for a shell. */
export async function judgedCommand(
  command: string | undefined,
  session: TrafficSession | undefined,
): Promise<string | undefined> {
  if (command === undefined || !session?.gate) return command
  // The person's input belongs to the command, which is not there yet: nobody can be asked.
  const verdict = await session.gate.judge(command, async () => undefined)
  if (verdict.kind === 'pass') return command
  if (verdict.kind === 'replace') return verdict.text
  session.reportCommand({ input: command, output: verdict.sentence, time: Date.now() })
  throw new CommandRefusedError(verdict.sentence)
}
