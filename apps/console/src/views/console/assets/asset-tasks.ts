import type { Asset } from '@sallyport/contract/resources/assets'
import { AssetTasks } from '@sallyport/contract/resources/probes'
import type { Access } from '../../../kit/access/access.ts'
import type { Action } from '../../../kit/actions/action.ts'
import { call } from '../../../kit/api/call.ts'
import { openTask } from '../../../kit/tasks/open-task.ts'
import { idOfNode, type TreeNode } from '../../../kit/tree/tree-node.ts'

const inRoot = (access: Access) => access.inRoot

async function start(action: 'test' | 'refresh', assets: readonly Asset[]): Promise<void> {
  const body = { action, assets: assets.map(({ id }) => id) }
  const { task } = await call(AssetTasks, 'ofAssets', { body })
  openTask(task)
}

/** Whether assets can be reached and signed in to; its log is shown as it runs. */
export const testAssets: Action<Asset> = {
  name: 'test',
  title: 'testConnectivity',
  titleMany: 'testSelected',
  label: 'testNow',
  permission: 'assets.test_assetconnectivity',
  hidden: inRoot,
  // What knows no such test by its platform is tried by its port, or as the web.
  when: ({ auto_info: can, category }) =>
    can.ping_enabled ? can.ansible_enabled : category.value !== 'host' || !can.ansible_enabled,
  call: (assets) => start('test', assets),
  refreshes: [],
}

/** What machines they are, asked over SSH. */
export const refreshHardware: Action<Asset> = {
  name: 'refresh',
  title: 'refreshHardware',
  titleMany: 'refreshHardwareSelected',
  label: 'kit:refresh',
  permission: 'assets.refresh_assethardwareinfo',
  hidden: inRoot,
  when: ({ auto_info: can }) => can.gather_facts_enabled && can.ansible_enabled,
  call: (assets) => start('refresh', assets),
  refreshes: [],
}

const ofNode = (action: 'test' | 'refresh') => async (nodes: readonly TreeNode[]) => {
  const [node] = nodes
  if (!node) return
  const { task } = await call(AssetTasks, 'ofNode', { id: idOfNode(node), body: { action } })
  openTask(task)
}

/** The same of all assets in a node and below it. */
export const nodeTasks: readonly Action<TreeNode>[] = [
  {
    name: 'refresh',
    title: 'refreshNodeHardware',
    permission: 'assets.refresh_assethardwareinfo',
    hidden: inRoot,
    call: ofNode('refresh'),
  },
  {
    name: 'test',
    title: 'testNodeConnectivity',
    permission: 'assets.test_assetconnectivity',
    hidden: inRoot,
    call: ofNode('test'),
  },
]

/** Of the whole tree: its amounts are compared with what lies there. */
export const checkAmounts: Action<TreeNode> = {
  name: 'checkAmounts',
  title: 'checkAssetsAmount',
  permission: 'assets.change_node',
  call: async () => {
    const { task } = await call(AssetTasks, 'checkAmounts', {})
    openTask(task)
  },
}
