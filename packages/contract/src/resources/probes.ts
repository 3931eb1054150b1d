/** Tests of assets and accounts, gathering of facts, checks of amounts: how they are begun, and how gateways carry them out. */
import type { ClaimedBatchTold } from '../gateway/probes.ts'
import { answer, onList, service } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import { boolean, ids, json, text, uuid } from '../resource/field.ts'

const task = {
  method: 'POST',
  answer: answer.object({ task: uuid() }),
  status: 201,
  records: { unrecorded: 'the execution is the record' },
} as const
/** Which of the two it needs is said by the action. */
const access = ['assets.refresh_assethardwareinfo', 'assets.test_assetconnectivity'] as const
/** `test`: whether they can be reached; `refresh`: what machines they are. */
const action = text({ max: 32, oneOf: choices('asset_task', ['test', 'refresh']) })
const testedMax = 1000

export const AssetTasks = service({
  app: 'assets',
  model: 'assettasks',
  path: 'assets',
  calls: {
    ofAsset: onList({ ...task, path: 'assets/{id}/tasks', access, body: { action } }),
    ofAssets: onList({
      ...task,
      path: 'assets/tasks',
      access,
      body: { action, assets: ids({ required: true, maxItems: testedMax }) },
    }),
    /** Whether a gateway of a network zone can be signed in to and leads on: to a port of its own, that of SSH unless said. */
    ofGateway: onList({
      ...task,
      path: 'gateways/{id}/test-connective',
      access: 'assets.test_assetconnectivity',
      status: 200,
      body: { port: json() },
    }),
    /** Compares the amounts of assets the tree shows with what lies there, and puts them right. */
    checkAmounts: onList({
      ...task,
      path: 'nodes/check_assets_amount_task',
      access: 'assets.change_node',
      status: 200,
    }),
    /** Of all assets in the node and below it. */
    ofNode: onList({ ...task, path: 'nodes/{id}/tasks', access, body: { action } }),
  },
})

export const AccountTasks = service({
  app: 'accounts',
  model: 'accounttasks',
  path: 'accounts/accounts',
  calls: {
    /** `test` and `verify` mean the same. */
    start: onList({
      ...task,
      path: 'tasks',
      access: ['accounts.verify_account', 'accounts.push_account'],
      body: {
        action: text({ max: 32, oneOf: choices('account_task', ['verify', 'test']) }),
        accounts: ids({ required: true, maxItems: testedMax }),
      },
      refusesInText: true,
    }),
  },
})

/** Targets a gateway was told to try. */
export const ProbeBatches = service({
  app: 'terminal',
  model: 'probebatches',
  path: 'terminal/probe-batches/{id}',
  calls: {
    /** What is to be tried, with the secrets it takes; answered to the gateway it was given to, as long as it is not finished. */
    claim: onList({
      method: 'POST',
      path: 'claim',
      access: 'component',
      answer: answer.json<ClaimedBatchTold>(),
      records: 'changes',
    }),
    /** What came of it so far; a gateway that is answered 404 has nothing more to do. */
    report: onList({
      method: 'POST',
      path: 'report',
      access: 'component',
      body: { results: json({ required: true }), is_finished: boolean({ required: true }) },
      records: { unrecorded: 'the execution they belong to is the record' },
    }),
  },
})
