import type { Algorithms } from '@sallyport/ssh'

/**
 * What clients are offered: AES-GCM first (the fastest here), CTR for clients that know no GCM, ChaCha20 for Dropbear, which knows no MAC
 * but of the old order; no CBC, no SHA-1. Anybody may ask for a key exchange before logging in, and while it is computed everybody waits:
 * so only those that take less than a millisecond, one of which every client of the last ten years knows. Last, and the only one an audit
 * has anything against, comes the curve of NIST that whoever knows such curves knows: some may use no others.
 */
export const serverAlgorithms: Algorithms = {
  kex: ['mlkem768x25519-sha256', 'curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256'],
  hostKey: ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-256'],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
    'chacha20-poly1305@openssh.com',
  ],
  mac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
}
