/** A target showed another key than the one accepted; its row is on the books, an administrator decides. */
export interface HostKeyChanged {
  host_key_id: string
  asset_id: string
  asset: string
  address: string
  fingerprint: string
  /** Fingerprints of the keys accepted so far. */
  accepted: readonly string[]
  /** The name of the component that saw it. */
  gateway: string
  org_id: string
}

declare module '../../kernel/events.ts' {
  interface EventData {
    host_key_changed: HostKeyChanged
  }
}
