/** A session as the server tells it. */
export const sessionRow = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  user: 'Ann(ann)',
  asset: 'web-01(10.1.1.5)',
  account: 'root(root)',
  protocol: 'ssh',
  remote_addr: '10.0.0.9',
  date_start: '2026-11-20T10:00:00Z',
  date_end: null,
  is_finished: true,
  can_join: false,
  can_replay: true,
  can_terminate: false,
  type: { value: 'normal', label: 'Normal' },
  ...more,
})
