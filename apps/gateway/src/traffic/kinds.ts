import type { Traffic } from '../session/traffic.ts'
import { CommandTraffic, type CommandLimits } from './command/command.ts'
import type { Client } from './ports.ts'
import type { Emulations } from './terminal/screen/workers.ts'
import { TerminalTraffic } from './terminal/terminal.ts'

/** The kind of traffic is what the person's side asked for. */
export function trafficOf(client: Client, emulations: Emulations, limits: CommandLimits): Traffic {
  const { terminal } = client
  return terminal ? new TerminalTraffic(client, terminal, emulations) : new CommandTraffic(client, limits)
}
