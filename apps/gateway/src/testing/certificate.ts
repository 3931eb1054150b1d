import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'

export interface TestCertificate {
  /** For a server on 127.0.0.1. */
  context: SecureContext
  /** What a target's `tls` says where it has to show this certificate. */
  authority: { ca: string; cert: string; key: string; allow_invalid: boolean }
}

/** A new certificate for 127.0.0.1, which only itself vouches for. */
export function makeCertificate(): TestCertificate {
  const home = mkdtempSync(join(tmpdir(), 'certificate-'))
  try {
    const [key, cert] = [join(home, 'key.pem'), join(home, 'cert.pem')]
    const named = ['-subj', '/CN=db', '-addext', 'subjectAltName=IP:127.0.0.1']
    const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert]
    execFileSync('openssl', ['req', '-x509', ...made, ...named], { stdio: 'ignore' })
    const ca = readFileSync(cert, 'utf8')
    return {
      context: createSecureContext({ key: readFileSync(key), cert: ca }),
      authority: { ca, cert: '', key: '', allow_invalid: false },
    }
  } finally {
    rmSync(home, { recursive: true })
  }
}
