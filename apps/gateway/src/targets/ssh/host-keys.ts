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
const toldForMs = 5000

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
  const key = shown.blob.toString('base64')
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
