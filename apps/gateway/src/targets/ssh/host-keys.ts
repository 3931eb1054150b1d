import type {
  HostKey,
  HostKeyTarget,
  HostKeyVerdict,
  SeenHostKey,
} from '@sallyport/contract/gateway/host-keys'
import type { PublicKey } from '@sallyport/ssh'
import { TargetError } from './errors.ts'

/** The host keys of targets, which the server keeps. */
export interface HostKeys {
  /** The keys a target may show; none before anybody's first visit to it. */
  acceptedHostKeys(target: HostKeyTarget): Promise<HostKey[]>
  /** Tells what a target showed and answers whether it is to be trusted. */
  reportHostKey(seen: SeenHostKey): Promise<HostKeyVerdict>
}

/** Rights are asked for when somebody connects; what came with them is of that moment for so long. */
export const toldForMs = 5000

/** The host keys the server keeps, those it told with a grant as long as they are of now. */
export const toldHostKeys = (
  server: HostKeys,
  told: { address: string; keys: HostKey[]; atMs: number } | undefined,
): HostKeys => ({
  acceptedHostKeys: async (target) =>
    told && target.address === told.address && performance.now() - told.atMs < toldForMs
      ? told.keys
      : server.acceptedHostKeys(target),
  reportHostKey: (seen) => server.reportHostKey(seen),
})

/** Throws a TargetError when the key shown is none the target may show; `accepted` are those known before. */
export async function checkHostKey(
  hostKeys: HostKeys,
  target: HostKeyTarget,
  accepted: HostKey[],
  shown: PublicKey,
): Promise<void> {
  const { type: algorithm, fingerprint } = shown
  if (isAccepted(shown.blob, accepted)) return
  const key = shown.blob.toString('base64')
  const verdict = await hostKeys.reportHostKey({ ...target, algorithm, key })
  if (verdict.state === 'accepted') return
  const where = target.address
  const known = verdict.keys.map((one) => one.fingerprint).join(', ')
  if (known === '') throw hostKeyRefused(where, fingerprint)
  throw new TargetError(
    'target_host_key_changed',
    `${where} shows a host key (${fingerprint}) that is not accepted (${known})`,
    { where, known, shown: fingerprint },
  )
}

/** `shown` in wire form. */
export function isAccepted(shown: Buffer, accepted: readonly HostKey[]): boolean {
  const key = shown.toString('base64')
  return accepted.some((known) => known.key === key)
}

/** What a target is not used for any more, or was not yet. */
export const hostKeyRefused = (where: string, shown: string): TargetError =>
  new TargetError('target_host_key_refused', `${where} shows a host key (${shown}) that is not accepted`, {
    where,
    shown,
  })
