import { execFile } from 'node:child_process'
import { userInfo } from 'node:os'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Keygen, signedData } from '../testing/keygen.ts'
import { Certificate, withCertificate } from './certificate.ts'
import type { CertificateFacts } from './certificate.ts'
import { checkCertificate } from './check-certificate.ts'
import type { CertificateUse } from './check-certificate.ts'
import { generateKey } from './generate.ts'
import { KeyError } from './key.ts'
import type { PublicKey } from './key.ts'
import { parsePrivateKey } from './private-key.ts'
import { formatPublicKeyLine, parsePublicKeyLine } from './public-key-text.ts'
import { parsePublicKey } from './public-key.ts'
import { signCertificate } from './sign-certificate.ts'

const run = promisify(execFile)
const keygen = new Keygen()
afterAll(() => keygen.dispose())
const kinds = [
  { name: 'ed25519', args: ['-t', 'ed25519'] },
  { name: 'p256', args: ['-t', 'ecdsa', '-b', '256'] },
  { name: 'p384', args: ['-t', 'ecdsa', '-b', '384'] },
  { name: 'p521', args: ['-t', 'ecdsa', '-b', '521'] },
  { name: 'rsa', args: ['-t', 'rsa', '-b', '2048'] },
]
beforeAll(() => {
  for (const { name, args } of kinds)
    for (const role of ['user', 'authority']) keygen.generate(`${role}-${name}`, ...args)
})

/** What ssh-keygen certifies: the certificate of `user-…`, signed by `authority-…`. */
function certify(user: string, authority: string, ...args: string[]): Certificate {
  keygen.run('-q', '-s', `authority-${authority}`, '-I', 'who it is', ...args, `user-${user}.pub`)
  return certificateOf(keygen.read(`user-${user}-cert.pub`))
}
function certificateOf(line: string): Certificate {
  const { key } = parsePublicKeyLine(line)
  if (!(key instanceof Certificate)) throw new Error('this is no certificate')
  return key
}
const publicKeyOf = (name: string): PublicKey => parsePublicKeyLine(keygen.read(`${name}.pub`)).key
const forAnHour = { validAfter: 1_700_000_000, validBefore: 1_700_003_600 }
const facts = (more: Partial<CertificateFacts> = {}): CertificateFacts => ({
  kind: 'user',
  serial: 7n,
  keyId: 'who it is',
  principals: ['ann'],
  ...forAnHour,
  criticalOptions: new Map(),
  extensions: new Map(),
  ...more,
})

describe.each(kinds.flatMap((user, at) => [{ user, authority: kinds[(at + 1) % kinds.length] ?? user }]))(
  'a certificate for $user.name by $authority.name',
  ({ user, authority }) => {
    test('of ssh-keygen is read with all it says', () => {
      const certificate = certify(
        user.name,
        authority.name,
        '-n',
        'ann,bob',
        '-z',
        '42',
        '-V',
        '20240101000000Z:20240102000000Z',
        ...['clear', 'permit-pty', 'force-command=echo "yes"'].flatMap((option) => ['-O', option]),
        ...['source-address=192.0.2.0/24', 'extension:login@example.com=ann'].flatMap((option) => [
          '-O',
          option,
        ]),
      )
      expect(certificate.facts).toEqual({
        kind: 'user',
        serial: 42n,
        keyId: 'who it is',
        principals: ['ann', 'bob'],
        validAfter: Date.UTC(2024, 0, 1) / 1000,
        validBefore: Date.UTC(2024, 0, 2) / 1000,
        criticalOptions: new Map([
          ['force-command', 'echo "yes"'],
          ['source-address', '192.0.2.0/24'],
        ]),
        extensions: new Map([
          ['login@example.com', 'ann'],
          ['permit-pty', ''],
        ]),
      })
      expect(certificate.key.blob).toEqual(publicKeyOf(`user-${user.name}`).blob)
      expect(certificate.authority.blob).toEqual(publicKeyOf(`authority-${authority.name}`).blob)
      const [bits, fingerprint] = keygen.run('-l', '-f', `user-${user.name}-cert.pub`).split(' ')
      expect([Number(bits) > 0, fingerprint]).toEqual([true, certificate.fingerprint])
    })

    test('of ours is what ssh-keygen says it is', async () => {
      const certificate = await signCertificate(
        parsePrivateKey(keygen.read(`authority-${authority.name}`)),
        publicKeyOf(`user-${user.name}`),
        facts({
          principals: ['ann', 'bob'],
          criticalOptions: new Map([
            ['source-address', '192.0.2.0/24'],
            ['force-command', 'true'],
          ]),
          extensions: new Map([
            ['permit-pty', ''],
            ['login@example.com', 'ann'],
          ]),
        }),
      )
      keygen.write('ours-cert.pub', formatPublicKeyLine(certificate))
      const shown = keygen.run('-L', '-f', 'ours-cert.pub').replaceAll(/\s+/g, ' ')
      for (const part of [
        `Type: ${certificate.type} user certificate`,
        certificate.key.fingerprint,
        certificate.authority.fingerprint,
        'Key ID: "who it is" Serial: 7 ',
        'Principals: ann bob ',
        'Critical Options: force-command true source-address 192.0.2.0/24 ',
        'permit-pty',
      ])
        expect(shown).toContain(part)
    })

    test('is verified by its key, under names of its own', async () => {
      const certificate = certify(user.name, authority.name, '-n', 'ann')
      const key = withCertificate(parsePrivateKey(keygen.read(`user-${user.name}`)), certificate)
      expect(certificate.algorithms.length).toBeGreaterThan(0)
      for (const algorithm of certificate.algorithms) {
        expect(algorithm).toMatch(/-cert-v01@openssh\.com$/)
        const signature = await key.sign(algorithm, signedData('text'))
        expect(key.publicKey.verify(algorithm, signedData('text'), signature)).toBe(true)
        expect(key.publicKey.verify(algorithm, signedData('another'), signature)).toBe(false)
        expect(keygen.verifies(certificate.key.blob, 'text', signature)).toBe(true)
      }
    })
  },
)

test('sshd lets in whom our certificate names, and ssh takes the host that shows one', async () => {
  const authority = parsePrivateKey(keygen.read('authority-ed25519'))
  const validBefore = Math.floor(Date.now() / 1000) + 3600
  const issue = async (name: string, more: Partial<CertificateFacts>) => {
    const certificate = await signCertificate(authority, publicKeyOf(name), facts({ validBefore, ...more }))
    keygen.write(`${name}-cert.pub`, `${formatPublicKeyLine(certificate)}\n`)
  }
  await issue('user-p521', { kind: 'host', principals: ['web.example.com'] })
  keygen.write('principals', 'ann\n')
  keygen.write('known', `@cert-authority web.example.com ${keygen.read('authority-ed25519.pub')}`)
  keygen.write(
    'sshd_config',
    [
      `HostKey ${keygen.path('user-p521')}`,
      `HostCertificate ${keygen.path('user-p521-cert.pub')}`,
      `TrustedUserCAKeys ${keygen.path('authority-ed25519.pub')}`,
      `AuthorizedPrincipalsFile ${keygen.path('principals')}`,
      'AuthorizedKeysFile none',
      'PermitRootLogin yes',
      'StrictModes no',
      '',
    ].join('\n'),
  )
  const login = () =>
    run('ssh', [
      '-Fnone',
      ...[
        'BatchMode=yes',
        'IdentitiesOnly=yes',
        'StrictHostKeyChecking=yes',
        `UserKnownHostsFile=${keygen.path('known')}`,
        'GlobalKnownHostsFile=none',
        `ProxyCommand=/usr/sbin/sshd -i -f ${keygen.path('sshd_config')}`,
      ].flatMap((option) => ['-o', option]),
      '-i',
      keygen.path('user-rsa'),
      `${userInfo().username}@web.example.com`,
      'echo in',
    ])
  await issue('user-rsa', {
    principals: ['ann'],
    criticalOptions: new Map([['force-command', 'echo forced']]),
  })
  expect((await login()).stdout).toBe('forced\n')
  await issue('user-rsa', { principals: ['bob'] })
  await expect(login()).rejects.toThrow('Permission denied')
  await issue('user-p521', { kind: 'host', principals: ['db.example.com'] })
  await expect(login()).rejects.toThrow('Host key verification failed')
})

test('a certificate with any byte changed or missing is refused, without another error', () => {
  const { blob } = certify('ed25519', 'p256', '-n', 'ann', '-O', 'source-address=192.0.2.0/24')
  for (let at = 0; at < blob.length; at++) {
    const changed = Buffer.from(blob)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    expect(() => parsePublicKey(changed)).toThrow(KeyError)
    expect(() => parsePublicKey(blob.subarray(0, at))).toThrow(KeyError)
  }
  expect(() => parsePublicKey(Buffer.concat([blob, Buffer.alloc(1)]))).toThrow(KeyError)
})

test('a certificate is not shown with another key, nor made for nobody, for no time, or of a certificate', async () => {
  const certificate = certify('ed25519', 'p256', '-n', 'ann')
  const other = await generateKey('ssh-ed25519')
  expect(() => withCertificate(other, certificate)).toThrow(KeyError)
  for (const wrong of [
    signCertificate(other, other.publicKey, facts({ principals: [] })),
    signCertificate(other, other.publicKey, facts({ validBefore: forAnHour.validAfter })),
    signCertificate(other, certificate, facts()),
    signCertificate(
      withCertificate(parsePrivateKey(keygen.read('user-ed25519')), certificate),
      other.publicKey,
      facts(),
    ),
  ])
    await expect(wrong).rejects.toThrow(KeyError)
})

describe('a certificate is good for one use', () => {
  const check = async (more: Partial<CertificateFacts>, use: Partial<CertificateUse> = {}) => {
    const authority = await generateKey('ssh-ed25519')
    const { publicKey } = await generateKey('ssh-ed25519')
    const certificate = await signCertificate(authority, publicKey, facts(more))
    return checkCertificate(certificate, {
      kind: 'user',
      principal: 'ann',
      now: new Date((forAnHour.validAfter + 60) * 1000),
      isTrusted: ({ blob }) => blob.equals(authority.publicKey.blob),
      ...use,
    })
  }
  const at = (seconds: number) => ({ now: new Date(seconds * 1000) })

  test('of its kind, by an authority that is trusted, in its time, for whom it names', async () => {
    expect(await check({})).toBeUndefined()
    expect(await check({ kind: 'host' })).toBe('anotherKind')
    expect(await check({}, { kind: 'host' })).toBe('anotherKind')
    expect(await check({}, { isTrusted: () => false })).toBe('anotherAuthority')
    expect(await check({}, at(forAnHour.validAfter - 1))).toBe('notYetValid')
    expect(await check({}, at(forAnHour.validAfter))).toBeUndefined()
    expect(await check({}, at(forAnHour.validBefore))).toBe('expired')
    expect(await check({ validBefore: Number.POSITIVE_INFINITY }, at(2 ** 40))).toBeUndefined()
    expect(await check({}, { principal: 'bob' })).toBe('anotherPrincipal')
    expect(await check({ principals: ['*'] })).toBe('anotherPrincipal')
    expect(await check({}, { principal: 'Ann' })).toBe('anotherPrincipal')
  })

  test('without a critical option that is not known; extensions are passed over', async () => {
    expect(await check({ criticalOptions: new Map([['mfa@example.com', '']]) })).toBe('unknownOption')
    expect(await check({ extensions: new Map([['mfa@example.com', '']]) })).toBeUndefined()
    const force = new Map([['force-command', 'true']])
    expect(await check({ criticalOptions: force })).toBeUndefined()
    expect(await check({ kind: 'host', criticalOptions: force }, { kind: 'host' })).toBe('unknownOption')
  })

  test('from the addresses it names', async () => {
    const from = (networks: string, address?: string) =>
      check({ criticalOptions: new Map([['source-address', networks]]) }, { address })
    expect(await from('192.0.2.0/24,2001:db8::/32', '192.0.2.9')).toBeUndefined()
    expect(await from('192.0.2.0/24,2001:db8::/32', '::ffff:192.0.2.9')).toBeUndefined()
    expect(await from('192.0.2.0/24,2001:db8::/32', '2001:db8::1')).toBeUndefined()
    expect(await from('192.0.2.1', '192.0.2.1')).toBeUndefined()
    for (const [networks, address] of [
      ['192.0.2.0/24', '198.51.100.1'],
      ['192.0.2.0/24', '2001:db8::1'],
      ['192.0.2.0/24', undefined],
      ['192.0.2.0/33', '192.0.2.1'],
      ['somewhere', '192.0.2.1'],
      ['', '192.0.2.1'],
    ] as const)
      expect(await from(networks, address)).toBe('anotherAddress')
  })

  test('of the hosts its patterns mean', async () => {
    const host = (pattern: string, principal: string) =>
      check({ kind: 'host', principals: [pattern] }, { kind: 'host', principal })
    expect(await host('web.example.com', 'Web.Example.com')).toBeUndefined()
    expect(await host('*.example.com', 'web.example.com')).toBeUndefined()
    expect(await host('web?.example.com', 'web1.example.com')).toBeUndefined()
    expect(await host('web.example.com', 'web-example.com')).toBe('anotherPrincipal')
    expect(await host('*.example.com', 'web.example.com.example.net')).toBe('anotherPrincipal')
  })

  test('a certificate of ssh-keygen for a host', () => {
    const certificate = certify('p256', 'rsa', '-h', '-n', 'web.example.com', '-V', '+1h')
    const use = {
      kind: 'host',
      principal: 'web.example.com',
      now: new Date(),
      isTrusted: () => true,
    } as const
    expect(checkCertificate(certificate, use)).toBeUndefined()
  })
})
