import type { HostKey } from '@sallyport/contract/gateway/host-keys'
import { defaultAlgorithms, legacyAlgorithms, type Algorithms } from '@sallyport/ssh'

/** Targets that are kept up to date may still know nothing better. */
const usual: Algorithms = {
  ...defaultAlgorithms,
  mac: [...defaultAlgorithms.mac, 'hmac-sha2-256', 'hmac-sha2-512'],
}

/**
 * What is offered to targets, the best first; to old ones what only they need besides. Kinds of host keys that are known come before the
 * others, or a host with several keys would look changed.
 */
export function targetAlgorithms(known: readonly HostKey[], isOld: boolean): Algorithms {
  const isKnown = (name: string) =>
    known.some(
      ({ algorithm }) => name === algorithm || (algorithm === 'ssh-rsa' && name.startsWith('rsa-sha2')),
    )
  const offered = isOld ? legacyAlgorithms : usual
  const { hostKey } = offered
  return {
    ...offered,
    hostKey: [...hostKey.filter(isKnown), ...hostKey.filter((name) => !isKnown(name))],
  }
}
