import { certificateName } from './certificate-names.ts'

/** What users sign with, in software or in a security key, best first. */
export const keyAlgorithms: readonly string[] = [
  'ssh-ed25519',
  'sk-ssh-ed25519@openssh.com',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ecdsa-sha2-nistp256@openssh.com',
  'rsa-sha2-512',
  'rsa-sha2-256',
]

/** The same with a certificate, for whoever knows an authority to trust. */
export const certificateAlgorithms = keyAlgorithms.map(certificateName)
