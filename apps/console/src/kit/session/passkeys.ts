const isAddress = (hostname: string) => hostname.startsWith('[') || /^[\d.]+$/u.test(hostname)

/** Browsers offer passkeys to sites they trust the way to, and to none by its bare address. */
export const hasPasskeys = () =>
  isSecureContext && typeof PublicKeyCredential === 'function' && !isAddress(location.hostname)
