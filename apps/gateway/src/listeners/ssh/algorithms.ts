import type { Algorithms } from 'ssh2'

/**
 * What clients are offered: AES-GCM first (the fastest here), CTR for clients that know no GCM; no CBC, no SHA-1, no ChaCha20, which is
 * slow without a native addon. Anybody may ask for a key exchange before logging in, and while it is computed everybody waits: so none that
 * takes longer than some milliseconds (the groups 16 and 18 and the curve P-521 do).
 */
export const serverAlgorithms: Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'diffie-hellman-group14-sha256',
  ],
  serverHostKey: ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-256'],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
}
