/** Types and algorithms of certificates are named for those of their keys (OpenSSH's PROTOCOL.certkeys). */
const suffix = '-cert-v01@openssh.com'
const vendor = '@openssh.com'

export const isCertificateName = (name: string): boolean => name.endsWith(suffix)

/** ssh-ed25519 to ssh-ed25519-cert-v01@openssh.com, sk-ssh-ed25519@openssh.com to sk-ssh-ed25519-cert-v01@openssh.com. */
export const certificateName = (plain: string): string =>
  `${plain.endsWith(vendor) ? plain.slice(0, -vendor.length) : plain}${suffix}`

export function plainName(name: string): string {
  const bare = name.slice(0, -suffix.length)
  return bare.startsWith('sk-') ? `${bare}${vendor}` : bare
}
