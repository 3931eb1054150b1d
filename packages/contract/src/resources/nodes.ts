/** The tree of assets: nodes, what lies below them, and the assets in them. */
import { choices } from '../resource/choices.ts'
import { answer, onList, onRow } from '../resource/calls.ts'
import { boolean, ids, list, plainChoice, text } from '../resource/field.ts'
import { identified, organized, resource, type RowOf } from '../resource/resource.ts'
import type { TreeNode } from '../resource/tree.ts'
import type { Asset } from './assets.ts'

const name = text({ max: 128, filter: true, nullable: true })
const path = text({ max: 4096, createOnly: true })

/** What a node is chosen by in a query. `all` (`all`, `1`, `true`): everything below, not what is directly there only. */
const chosen = { id: text({ max: 64 }), key: text({ max: 4096 }) }
const depth = { all: plainChoice(choices('node_depth', ['all', 'true', '1', 'false', '0'])) }
const newNode = {
  method: 'POST',
  path: 'children',
  access: 'assets.add_node',
  body: { value: name, full_value: path },
  answer: answer.row,
  status: 201,
  records: 'changes',
} as const
const changeAssets = <const How extends string>(how: How) =>
  onRow({
    method: ['PUT', 'PATCH'],
    path: `assets/${how}`,
    access: ['assets.change_assetnodes', 'assets.change_node'],
    body: { assets: ids({ required: true, maxItems: 10_000 }) },
    bodyLimit: 4 << 20,
    answer: answer.object({ assets: list(), ...organized }),
    records: 'changes',
  })

export const Node = resource({
  app: 'assets',
  model: 'node',
  path: 'assets/nodes',
  scope: 'org',
  order: ['value'],
  mini: ['id', 'name'],
  small: ['id', 'name', 'key', 'value', 'full_value'],
  fields: {
    ...identified,
    key: text({ readOnly: true, filter: true }),
    value: name,
    name: text({ readOnly: true }),
    full_value: path,
    ...organized,
  },
  calls: {
    /** The first few nodes found, of organizations the caller is in. */
    suggestions: onList({
      method: 'GET',
      path: 'suggestions',
      access: 'assets.match_node',
      answer: answer.rows,
    }),
    /** Below the node the query names; without one the roots, and what lies below a single one. */
    children: onList({
      method: 'GET',
      path: 'children',
      access: 'assets.view_node',
      query: { ...chosen, ...depth },
      answer: answer.rows,
    }),
    childrenOf: onRow({
      method: 'GET',
      path: 'children',
      access: 'assets.view_node',
      query: depth,
      answer: answer.rows,
    }),
    /** Made below the node the query names, or the root; called `New node 1` and so on where no name is sent. */
    addChild: onList({ ...newNode, query: chosen }),
    addChildTo: onRow(newNode),
    /** Moves nodes with all below them under this one. */
    takeChildren: onRow({
      method: ['PUT', 'PATCH'],
      path: 'children/add',
      access: 'assets.change_node',
      body: { nodes: ids({ required: true }) },
      answer: answer.json<'OK'>(),
      records: 'update',
    }),
    /** One level of the tree, or what is found in it. */
    tree: onList({
      method: 'GET',
      path: 'children/tree',
      access: 'assets.view_node',
      query: { ...chosen, ...depth, assets: boolean(), search: text({ max: 256 }) },
      answer: answer.json<TreeNode[]>(),
    }),
    /** Categories, types and platforms with the number of assets (or accounts) of each; `key` (a platform) asks for its assets. */
    typeTree: onList({
      method: 'GET',
      path: 'category/tree',
      access: 'assets.view_asset',
      query: {
        key: text({ max: 64 }),
        assets: boolean(),
        count_resource: plainChoice(choices('counted', ['asset', 'account'])),
      },
      answer: answer.json<TreeNode[]>(),
    }),
    assets: onRow({
      method: 'GET',
      path: 'assets',
      access: 'assets.view_asset',
      query: depth,
      answer: answer.rowsOf<Asset>('assets.asset'),
    }),
    addAssets: changeAssets('add'),
    /** What is in no other node goes to the root. */
    removeAssets: changeAssets('remove'),
    /** Takes them out of all other nodes. */
    replaceAssets: changeAssets('replace'),
  },
})
export type Node = RowOf<typeof Node>
