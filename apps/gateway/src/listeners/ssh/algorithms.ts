import type { Algorithms } from 'ssh2'

/**
 * What clients are offered: AES-GCM first (the fastest here), CTR for clients that know no GCM; no CBC, no SHA-1, no ChaCha20, which is
 * slow without a native addon. Anybody may ask for a key exchange before logging in, and while it is computed everybody waits: so only the
 * two that take less than half a millisecond, one of which every client of the last ten years knows (group 14 takes 1, P-384 6, group 18
 * 36 ms). The client's order decides which; what stands first here is nobody's first, because the library never answers a client that
 * sends its first along (RFC 4253, section 7) and guessed right, as Dropbear does.
 */
export const serverAlgorithms: Algorithms = {
  kex: ['ecdh-sha2-nistp256', 'curve25519-sha256', 'curve25519-sha256@libssh.org'],
  serverHostKey: ['ssh-ed25519', 'rsa-sha2-512', 'rsa-sha2-256'],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes192-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
}
