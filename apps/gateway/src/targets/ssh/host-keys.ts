import { createHash } from 'node:crypto'
import type {
  HostKey,
  HostKeyTarget,
  HostKeyVerdict,
  SeenHostKey,
} from '@sallyport/contract/gateway/host-keys'
import { TargetError } from './errors.ts'

/** The host keys of targets, which the server keeps. */
export interface HostKeys {
  /** The keys a target may show; none before anybody's first visit to it. */
  acceptedHostKeys(target: HostKeyTarget): Promise<HostKey[]>
  /** Tells what a target showed and answers whether it is to be trusted. */
  reportHostKey(seen: SeenHostKey): Promise<HostKeyVerdict>
}

/** What was shown, in wire form: `fingerprint` as OpenSSH shows it. */
export function describeHostKey(wire: Buffer): HostKey {
  const length = wire.length >= 4 ? wire.readUInt32BE(0) : 0
  const digest = createHash('sha256').update(wire).digest('base64')
  return {
    algorithm: wire.toString('latin1', 4, 4 + Math.min(length, 64)),
    key: wire.toString('base64'),
    fingerprint: `SHA256:${digest.replace(/=+$/, '')}`,
  }
}

/** Throws a TargetError when the key shown is none the target may show; `accepted` are those known before. */
export async function checkHostKey(
  hostKeys: HostKeys,
  target: HostKeyTarget,
  accepted: HostKey[],
  wire: Buffer,
): Promise<void> {
  const { algorithm, key, fingerprint } = describeHostKey(wire)
  if (accepted.some((known) => known.key === key)) return
  const verdict = await hostKeys.reportHostKey({ ...target, algorithm, key })
  if (verdict.state === 'accepted') return
  const where = target.address
  const known = verdict.keys.map((one) => one.fingerprint).join(', ')
  const code = known === '' ? 'target_host_key_refused' : 'target_host_key_changed'
  throw new TargetError(
    code,
    `${where} shows a host key (${fingerprint}) that is not accepted (${known || 'none is'})`,
    { where, known, shown: fingerprint },
  )
}
