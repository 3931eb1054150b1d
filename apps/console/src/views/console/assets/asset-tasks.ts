import { Asset } from '@sallyport/contract/resources/assets'
import { AssetTasks } from '@sallyport/contract/resources/probes'
import type { Access } from '../../../kit/access/access.ts'
import type { Action } from '../../../kit/actions/action.ts'
import { call } from '../../../kit/api/call.ts'
import { idOfNode, type TreeNode } from '../../../kit/tree/tree-node.ts'

const inRoot = (access: Access) => access.inRoot

const start = (action: 'test' | 'refresh') => (assets: readonly Asset[]) =>
  call(AssetTasks, 'ofAssets', { body: { action, assets: assets.map(({ id }) => id) } })

/** Whether assets can be reached and signed in to; its log is shown as it runs. */
export const testAssets: Action<Asset> = {
  name: 'test',
  title: 'console:testConnectivity',
  titleMany: 'console:testSelected',
  label: 'console:testNow',
  permission: 'assets.test_assetconnectivity',
  hidden: inRoot,
  // What knows no such test by its platform is tried by its port, or as the web.
  when: ({ auto_info: can, category }) =>
    can.ping_enabled ? can.ansible_enabled : category.value !== 'host' || !can.ansible_enabled,
  task: start('test'),
}

/** What machines they are, asked over SSH. */
export const refreshHardware: Action<Asset> = {
  name: 'refresh',
  title: 'console:refreshHardware',
  titleMany: 'console:refreshHardwareSelected',
  label: 'kit:refresh',
  permission: 'assets.refresh_assethardwareinfo',
  hidden: inRoot,
  when: ({ auto_info: can }) => can.gather_facts_enabled && can.ansible_enabled,
  task: start('refresh'),
}

const ofNode =
  (action: 'test' | 'refresh') =>
  ([node]: readonly TreeNode[]) =>
    call(AssetTasks, 'ofNode', { id: node ? idOfNode(node) : '', body: { action } })

/** The same of all assets in a node and below it. */
export const nodeTasks: readonly Action<TreeNode>[] = [
  {
    name: 'refresh',
    title: 'console:refreshNodeHardware',
    permission: 'assets.refresh_assethardwareinfo',
    hidden: inRoot,
    task: ofNode('refresh'),
    refreshes: [Asset],
  },
  {
    name: 'test',
    title: 'console:testNodeConnectivity',
    permission: 'assets.test_assetconnectivity',
    hidden: inRoot,
    task: ofNode('test'),
    refreshes: [Asset],
  },
]

/** Of the whole tree: its amounts are compared with what lies there. */
export const checkAmounts: Action<TreeNode> = {
  name: 'checkAmounts',
  title: 'console:checkAssetsAmount',
  permission: 'assets.change_node',
  task: () => call(AssetTasks, 'checkAmounts', {}),
  // The tree is read again where assets are.
  refreshes: [Asset],
}
