import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { probeBatchCalls } from './claims.ts'
import { probesOf } from './jobs.ts'
import { accountTasks, assetTasks } from './starting.ts'

/** Tests of assets and accounts and gathering of facts, ordered here and carried out by gateways. */
export function domain({
  executions,
  live,
  secrets,
}: Pick<Ground, 'executions' | 'live' | 'secrets'>): Domain {
  const probes = probesOf(live)
  return {
    name: 'probes',
    services: [
      assetTasks(probes, executions),
      accountTasks(probes, executions),
      probeBatchCalls({ live, secrets }),
    ],
    executions: [probes.testAssets, probes.testGateway, probes.gatherFacts, probes.verifyAccounts],
  }
}
