/** Assets were put into a node, taken out of it, or moved to it from everywhere else. */
export interface NodeAssetsChanged {
  node: { id: string; name: string; org_id: string }
  assets: readonly { id: string; name: string }[]
  how: 'add' | 'remove' | 'replace'
}

declare module '../../kernel/events.ts' {
  interface EventData {
    'assets.node_assets_changed': NodeAssetsChanged
  }
}
