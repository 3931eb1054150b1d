import { readingsOfAll } from '../policy/readings.ts'
import { CommandRefusedError } from '../session/failures.ts'
import type { RiskLevel } from '../session/gate.ts'
import type { TrafficSession } from '../session/traffic.ts'
import { ownTurn } from '../turns.ts'
import { holdOnClient } from './hold-on-client.ts'
import type { Client } from './ports.ts'

/**
 * The command a session may be opened with, before the target hears of it, and how dangerous it is; throws when it may not be. Undefined for
 * a shell. Where it was judged, what it was judged by.
 */
export async function judgedCommand(
  client: Client,
  session: TrafficSession | undefined,
): Promise<{ command: string | undefined; risk_level?: RiskLevel; readings?: readonly string[] }> {
  const { command } = client
  if (command === undefined || !session?.gate) return { command }
  await ownTurn()
  const readings = readingsOfAll([command])
  const attempt = { text: command, readings }
  // Nobody was there to be asked when it was written, perhaps by a script. On a terminal it can be given up.
  const { next } = holdOnClient(client, session.signal)
  const verdict = await session.gate.judge(attempt, next, false)
  if (verdict.kind === 'pass') return { command, risk_level: verdict.risk_level, readings }
  if (verdict.kind === 'replace') return { command: verdict.text, readings }
  const { sentence, risk_level } = verdict
  session.reportCommand({ input: command, output: sentence, time: Date.now(), risk_level })
  throw new CommandRefusedError(sentence)
}
