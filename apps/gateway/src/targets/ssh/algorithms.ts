import type { HostKey } from '@sallyport/contract/gateway/host-keys'
import { defaultAlgorithms, type Algorithms } from '@sallyport/ssh'

/** What old devices need besides: they know nothing else. */
const old: Algorithms = {
  kex: ['diffie-hellman-group14-sha1'],
  hostKey: ['ssh-rsa'],
  cipher: ['aes128-cbc', 'aes256-cbc'],
  mac: ['hmac-sha2-256', 'hmac-sha2-512', 'hmac-sha1'],
}

/**
 * What is offered to targets, the best first. Kinds of host keys that are known come before the others, or a host with several keys would
 * look changed.
 */
export function targetAlgorithms(known: readonly HostKey[]): Algorithms {
  const isKnown = (name: string) =>
    known.some(
      ({ algorithm }) => name === algorithm || (algorithm === 'ssh-rsa' && name.startsWith('rsa-sha2')),
    )
  const hostKeys = [...defaultAlgorithms.hostKey, ...old.hostKey]
  return {
    kex: [...defaultAlgorithms.kex, ...old.kex],
    hostKey: [...hostKeys.filter(isKnown), ...hostKeys.filter((name) => !isKnown(name))],
    cipher: [...defaultAlgorithms.cipher, ...old.cipher],
    mac: [...defaultAlgorithms.mac, ...old.mac],
  }
}
