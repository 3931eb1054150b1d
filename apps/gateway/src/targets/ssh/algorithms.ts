import type { HostKey } from '@sallyport/contract/gateway/host-keys'
import type { Algorithms, ServerHostKeyAlgorithm } from 'ssh2'

const HOST_KEYS: ServerHostKeyAlgorithm[] = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
  'ssh-rsa',
]

/**
 * What is offered to targets: AES-GCM first, for it is by far the fastest here; older ones at the end, for devices that know nothing
 * else. Kinds of host keys that are known come first, or a host with several keys would look changed.
 */
export function targetAlgorithms(known: readonly HostKey[]): Algorithms {
  const isKnown = (name: string) =>
    known.some(
      ({ algorithm }) => name === algorithm || (algorithm === 'ssh-rsa' && name.startsWith('rsa-sha2')),
    )
  return {
    kex: [
      'curve25519-sha256',
      'curve25519-sha256@libssh.org',
      'ecdh-sha2-nistp256',
      'ecdh-sha2-nistp384',
      'ecdh-sha2-nistp521',
      'diffie-hellman-group-exchange-sha256',
      'diffie-hellman-group14-sha256',
      'diffie-hellman-group16-sha512',
      'diffie-hellman-group18-sha512',
      'diffie-hellman-group14-sha1',
    ],
    serverHostKey: [...HOST_KEYS.filter(isKnown), ...HOST_KEYS.filter((name) => !isKnown(name))],
    cipher: [
      'aes128-gcm@openssh.com',
      'aes256-gcm@openssh.com',
      'aes128-ctr',
      'aes192-ctr',
      'aes256-ctr',
      'aes128-cbc',
      'aes256-cbc',
    ],
    hmac: [
      'hmac-sha2-256-etm@openssh.com',
      'hmac-sha2-512-etm@openssh.com',
      'hmac-sha2-256',
      'hmac-sha2-512',
      'hmac-sha1',
    ],
    compress: ['none'],
  }
}
