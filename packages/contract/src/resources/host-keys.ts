import type { AcceptedHostKeys, HostKeyVerdict, OwnHostKeys } from '../gateway/host-keys.ts'
import { answer, onList, onRow } from '../resource/calls.ts'
import { choices } from '../resource/choices.ts'
import { choice, datetime, list, one, text, uuid } from '../resource/field.ts'
import { organized, resource, type RowOf, updated } from '../resource/resource.ts'

export const hostKeyStates = choices('host_key_state', ['accepted', 'pending', 'refused'])

/** Which machine: an asset, at the address (`host:port`, IPv6 in brackets) under which it was reached. */
const target = { asset: uuid({ required: true }), address: text({ max: 300, required: true }) }
/** An administrator's word; recorded as the changes of the rows it is about. */
const deciding = {
  method: 'POST',
  access: 'terminal.change_hostkey',
  answer: answer.row,
  records: 'changes',
} as const

/**
 * What machines show to prove who they are, by asset and address. Gateways bring them; the first one is accepted, a changed one waits for
 * an administrator, and nobody connects until it is accepted. One key is accepted at a time.
 */
export const HostKey = resource({
  app: 'terminal',
  model: 'hostkey',
  path: 'terminal/host-keys',
  scope: 'org',
  order: ['-date_created'],
  bulk: false,
  actions: ['list', 'retrieve', 'delete'],
  fields: {
    id: uuid({ readOnly: true, filter: true }),
    asset: one('assets.asset', ['id', 'name'], { readOnly: true, filter: true }),
    address: text({ max: 300, readOnly: true, filter: true, search: true }),
    algorithm: text({ max: 64, readOnly: true, filter: true }),
    fingerprint: text({ max: 64, readOnly: true, filter: true, search: true }),
    key: text({ max: 4096, readOnly: true }),
    state: choice(hostKeyStates, { readOnly: true, filter: true }),
    /** The gateway it was first shown to. */
    terminal: one('terminal.terminal', ['id', 'name'], { nullable: true, readOnly: true, filter: true }),
    date_created: datetime({ readOnly: true }),
    ...updated,
    ...organized,
  },
  calls: {
    /** Takes the place of the key accepted before. */
    accept: onRow({ ...deciding, path: 'accept' }),
    refuse: onRow({ ...deciding, path: 'refuse' }),
    /** The keys a target may show; none before its first visit. */
    accepted: onList({
      method: 'GET',
      path: 'accepted',
      access: 'component',
      query: target,
      answer: answer.json<AcceptedHostKeys>(),
    }),
    /** What a target showed: the first one is accepted, another one waits for an administrator. */
    seen: onList({
      method: 'POST',
      path: 'seen',
      access: 'component',
      body: {
        ...target,
        /** `ssh-ed25519`, `ecdsa-sha2-nistp256`, … */
        algorithm: text({ max: 64, required: true }),
        /** In wire form, base64. */
        key: text({ max: 4096, required: true }),
      },
      answer: answer.json<HostKeyVerdict>(),
      records: 'changes',
    }),
    /** The gateways' own, as private keys: the first ones offered count, and everybody is answered those. */
    own: onList({
      method: 'POST',
      path: 'own',
      access: 'component',
      body: { keys: list({ max: 16_384, maxItems: 4, required: true, verbatim: true }) },
      answer: answer.json<OwnHostKeys>(),
      records: { unrecorded: 'the gateways agree among themselves under which face people know them' },
    }),
  },
})
export type HostKey = RowOf<typeof HostKey>
