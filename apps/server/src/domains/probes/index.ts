import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { probeBatchCalls } from './claims.ts'
import { probesOf } from './jobs.ts'
import { NewAssets } from './new-assets.ts'
import { accountTasks, assetTasks } from './starting.ts'

/** Tests of assets and accounts and gathering of facts, ordered here and carried out by gateways. */
export function domain({
  executions,
  live,
  log,
  secrets,
}: Pick<Ground, 'executions' | 'live' | 'log' | 'secrets'>): Domain {
  const probes = probesOf(live)
  let newAssets: NewAssets | undefined
  return {
    name: 'probes',
    services: [
      assetTasks(probes, executions),
      accountTasks(probes, executions),
      probeBatchCalls({ live, secrets }),
    ],
    executions: [
      probes.testAssets,
      probes.checkNew,
      probes.testGateway,
      probes.gatherFacts,
      probes.checkAmounts,
      probes.verifyAccounts,
    ],
    // Not where the demo fills itself: its addresses are nobody's.
    start: () => {
      const started = new NewAssets(
        (ctx, ids) => executions.start(ctx, probes.checkNew, { assets: [...ids] }),
        log,
      )
      newAssets = started
      return Promise.resolve(() => {
        newAssets = undefined
        return started.stop()
      })
    },
    onCommitted: async (ctx, event) => newAssets?.take(ctx, event),
  }
}
