/** Keys of all kinds in logins: certificates, an agent's keys and security keys, with OpenSSH on the other side. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { connect as connectTo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AuthError } from './auth/client-auth.ts'
import { connect } from './client.ts'
import { Agent } from './keys/agent.ts'
import { certificateAlgorithms, keyAlgorithms } from './keys/algorithms.ts'
import { Certificate, type CertificateFacts, withCertificate } from './keys/certificate.ts'
import { type CertificateProblem, checkCertificate } from './keys/check-certificate.ts'
import { generateKey } from './keys/generate.ts'
import type { PrivateKey, PublicKey } from './keys/key.ts'
import { formatOpenSshKey } from './keys/openssh-key.ts'
import { formatPublicKeyLine } from './keys/public-key-text.ts'
import { parsePublicKey } from './keys/public-key.ts'
import { signCertificate } from './keys/sign-certificate.ts'
import { Keygen } from './testing/keygen.ts'
import { securityKey } from './testing/security-key.ts'
import { startSshd, type TestSshd } from './testing/sshd.ts'
import { TestServer } from './testing/test-server.ts'
import { defaultAlgorithms } from './transport/algorithms.ts'

const run = promisify(execFile)
const keygen = new Keygen()
afterAll(() => keygen.dispose())
const authority = await generateKey('ssh-ed25519')
const authorityLine = formatPublicKeyLine(authority.publicKey)
const keys = await Promise.all(
  (['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'] as const).map((type) => generateKey(type)),
)
const hostKey = await generateKey('ecdsa-sha2-nistp256')
const hostCertificate = await certify(hostKey.publicKey, { kind: 'host', principals: ['web.example.com'] })
const withHostCertificates = { ...defaultAlgorithms, hostKey: hostCertificate.algorithms }

function certify(key: PublicKey, more: Partial<CertificateFacts>): Promise<Certificate> {
  return signCertificate(authority, key, {
    kind: 'user',
    serial: 1n,
    keyId: 'a test',
    principals: ['ann'],
    validAfter: 0,
    validBefore: Math.floor(Date.now() / 1000) + 3600,
    criticalOptions: new Map(),
    extensions: new Map(),
    ...more,
  })
}
const problemOf = (key: PublicKey, kind: 'user' | 'host', principal: string) =>
  key instanceof Certificate
    ? checkCertificate(key, {
        kind,
        principal,
        now: new Date(),
        address: '127.0.0.1',
        isTrusted: ({ blob }) => blob.equals(authority.publicKey.blob),
      })
    : 'anotherAuthority'

describe('our client and sshd', () => {
  let sshd: TestSshd
  beforeAll(async () => {
    sshd = await startSshd([
      `TrustedUserCAKeys ${keygen.write('authority.pub', `${authorityLine}\n`)}`,
      `HostKey ${keygen.write('host', formatOpenSshKey(hostKey))}`,
      `HostCertificate ${keygen.write('host-cert.pub', formatPublicKeyLine(hostCertificate))}`,
    ])
  })
  afterAll(() => sshd.stop())

  async function login(key: PrivateKey, host = 'web.example.com'): Promise<string> {
    const stream = connectTo(sshd.port, '127.0.0.1')
    await once(stream, 'connect')
    const client = await connect(stream, {
      ident: 'Test',
      username: sshd.username,
      methods: [{ method: 'publickey', key }],
      algorithms: withHostCertificates,
      verifyHostKey: (shown) => {
        const problem = problemOf(shown, 'host', host)
        if (problem) throw new Error(`the host: ${problem}`)
      },
      loginMs: 20_000,
      replyMs: 20_000,
      keepaliveMs: 20_000,
    })
    const session = await client.openSession()
    await session.exec('echo in')
    const output = await text(session)
    client.destroy()
    return output
  }

  test('a certificate lets its user in with each type of key, and nobody else', async () => {
    for (const key of keys) {
      const mine = await certify(key.publicKey, { principals: [sshd.username] })
      expect(await login(withCertificate(key, mine))).toBe('in\n')
      const another = await certify(key.publicKey, { principals: ['ann'] })
      await expect(login(withCertificate(key, another))).rejects.toThrow(AuthError)
      await expect(login(key)).rejects.toThrow(AuthError)
    }
  })

  test('the host is who its certificate says, or is left', async () => {
    const [key] = keys
    await expect(login(key ?? hostKey, 'db.example.com')).rejects.toThrow('the host: anotherPrincipal')
  })

  test("an agent's keys and certificates let in", async () => {
    const path = keygen.path('agent')
    const program = spawn('ssh-agent', ['-D', '-a', path], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      await once(program.stdout, 'data')
      for (const [at, key] of keys.entries()) {
        const certificate = await certify(key.publicKey, { principals: [sshd.username] })
        const file = keygen.write(`key-${at}`, formatOpenSshKey(key))
        keygen.write(`key-${at}-cert.pub`, formatPublicKeyLine(certificate))
        const env = { ...process.env, SSH_AUTH_SOCK: path }
        execFileSync('ssh-add', ['-q', file], { env, stdio: 'pipe' })
      }
      const stream = connectTo(path)
      const found = await new Agent(stream, { timeoutMs: 20_000 }).keys()
      const certified = found.filter(({ publicKey }) => publicKey instanceof Certificate)
      expect([found.length, certified.length]).toEqual([6, 3])
      for (const key of certified) expect(await login(key)).toBe('in\n')
      stream.destroy()
    } finally {
      program.kill()
    }
  })

  test('a security key lets in when it was touched', async () => {
    for (const type of ['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com']) {
      const { blob, signature } = securityKey(type)
      const publicKey = parsePublicKey(blob)
      appendFileSync(`${sshd.dir}/authorized_keys`, `${formatPublicKeyLine(publicKey)}\n`)
      expect(await login({ publicKey, sign: (_algorithm, data) => signature(data, 1) })).toBe('in\n')
      const untouched = login({ publicKey, sign: (_algorithm, data) => signature(data, 0) })
      await expect(untouched).rejects.toThrow(AuthError)
    }
  })
})

describe('our server and ssh', () => {
  let server: TestServer
  let problems: (CertificateProblem | undefined)[]
  beforeAll(async () => {
    server = await TestServer.start({
      hostKeys: [withCertificate(hostKey, hostCertificate)],
      algorithms: withHostCertificates,
      keyAlgorithms: [...certificateAlgorithms, ...keyAlgorithms],
    })
    server.authenticate = (request) => {
      if (request.method !== 'publickey') return 'refused'
      const problem = problemOf(request.key, 'user', request.username)
      problems.push(problem)
      return problem ? 'refused' : 'accepted'
    }
    keygen.write('known', `@cert-authority web.example.com ${authorityLine}\n`)
  })
  beforeEach(() => {
    problems = []
  })
  afterAll(() => server.stop())

  const ssh = (name: string, user: string, host = 'web.example.com') =>
    run('ssh', [
      '-Fnone',
      ...[
        'BatchMode=yes',
        'IdentitiesOnly=yes',
        'StrictHostKeyChecking=yes',
        `UserKnownHostsFile=${keygen.path('known')}`,
        'GlobalKnownHostsFile=none',
        `HostKeyAlias=${host}`,
        `CertificateFile=${keygen.path(name)}-cert.pub`,
      ].flatMap((option) => ['-o', option]),
      '-i',
      keygen.path(name),
      '-p',
      String(server.port),
      `${user}@127.0.0.1`,
      'echo in',
    ])

  test('a certificate lets its user in with each type of key, and nobody else', async () => {
    for (const [at, key] of keys.entries()) {
      const name = `user-${at}`
      keygen.write(name, formatOpenSshKey(key))
      const certificate = await certify(key.publicKey, {
        criticalOptions: new Map([['source-address', '127.0.0.0/8']]),
      })
      keygen.write(`${name}-cert.pub`, formatPublicKeyLine(certificate))
      expect((await ssh(name, 'ann')).stdout).toBe('in\n')
      await expect(ssh(name, 'bob')).rejects.toThrow('Permission denied')
    }
    expect(problems).toEqual(expect.arrayContaining([undefined, 'anotherPrincipal', 'anotherAuthority']))
  })

  test('ssh takes the certificate of the host for its name only', async () => {
    const [key] = keys
    if (!key) throw new Error('there is a key')
    keygen.write('user', formatOpenSshKey(key))
    keygen.write('user-cert.pub', formatPublicKeyLine(await certify(key.publicKey, {})))
    expect((await ssh('user', 'ann')).stdout).toBe('in\n')
    await expect(ssh('user', 'ann', 'db.example.com')).rejects.toThrow('Host key verification failed')
  })
})
