/** Names of algorithms, best first. */
export interface Algorithms {
  kex: readonly string[]
  hostKey: readonly string[]
  cipher: readonly string[]
  mac: readonly string[]
}

/** What is safe today. Of the ciphers the fastest comes first: AES-GCM is done by the processor, ChaCha20's tags are made in JavaScript. */
export const defaultAlgorithms: Algorithms = {
  kex: [
    'mlkem768x25519-sha256',
    'sntrup761x25519-sha512',
    'sntrup761x25519-sha512@openssh.com',
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group18-sha512',
    'diffie-hellman-group-exchange-sha256',
    'diffie-hellman-group14-sha256',
  ],
  hostKey: [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ],
  cipher: [
    'aes128-gcm@openssh.com',
    'aes256-gcm@openssh.com',
    'chacha20-poly1305@openssh.com',
    'aes128-ctr',
    'aes192-ctr',
    'aes256-ctr',
  ],
  mac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
}

/** What old peers need besides. Weak: only where it was asked for. */
const oldAlgorithms: Algorithms = {
  kex: ['diffie-hellman-group-exchange-sha1', 'diffie-hellman-group14-sha1', 'diffie-hellman-group1-sha1'],
  hostKey: ['ssh-rsa'],
  cipher: ['aes128-cbc', 'aes192-cbc', 'aes256-cbc', '3des-cbc'],
  mac: ['hmac-sha2-256', 'hmac-sha2-512', 'hmac-sha1-etm@openssh.com', 'hmac-sha1'],
}

/** The default, and behind it what old peers need. */
export const legacyAlgorithms: Algorithms = {
  kex: [...defaultAlgorithms.kex, ...oldAlgorithms.kex],
  hostKey: [...defaultAlgorithms.hostKey, ...oldAlgorithms.hostKey],
  cipher: [...defaultAlgorithms.cipher, ...oldAlgorithms.cipher],
  mac: [...defaultAlgorithms.mac, ...oldAlgorithms.mac],
}
