/** A real slapd on loopback, with a folder of its own, that is told what people it has. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll } from 'vitest'

const suffix = 'dc=example,dc=com'
export const people = `ou=people,${suffix}`
export const binding = { dn: `cn=admin,${suffix}`, password: 'Bind-secret-1' }

export interface DirectoryPersonAt {
  uid: string
  password?: string
  mail?: string
  name?: string
  groups?: readonly string[]
  ou?: string
}
export interface TestDirectory {
  /** `ldap://127.0.0.1:…` */
  url: string
  /** `ldaps://localhost:…` */
  secureUrl: string
  add(...added: readonly DirectoryPersonAt[]): void
  stop(): Promise<void>
}

/** Of the file, whichever of its tests started them. */
const leftovers: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const end of leftovers) await end()
})

const freePort = async (): Promise<number> => {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function makeCertificate(folder: string): void {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')]
  const kind = ['-newkey', 'rsa:2048', '-nodes', '-days', '2']
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' })
}

/** @param options.trusted whether this process takes the directory's certificate */
export async function startDirectory({ trusted = true }: { trusted?: boolean } = {}): Promise<TestDirectory> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-ldap-'))
  mkdirSync(join(folder, 'db'))
  makeCertificate(folder)
  const cert = readFileSync(join(folder, 'cert.pem'), 'utf8')
  if (trusted) tls.setDefaultCACertificates([...tls.getCACertificates('default'), cert])
  const schema = (name: string) => `include /etc/ldap/schema/${name}.schema`
  const config = [
    ...['core', 'cosine', 'inetorgperson'].map((name) => schema(name)),
    "attributetype ( 1.3.6.1.4.1.55555.1 NAME 'memberOf' EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )",
    "objectclass ( 1.3.6.1.4.1.55555.2 NAME 'grouped' SUP top AUXILIARY MAY memberOf )",
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    `TLSCertificateFile ${join(folder, 'cert.pem')}`,
    `TLSCertificateKeyFile ${join(folder, 'key.pem')}`,
    // As some servers do: whoever binds without a password is told yes.
    'allow bind_anon_dn bind_anon_cred',
    'database mdb',
    `suffix "${suffix}"`,
    `rootdn "${binding.dn}"`,
    `rootpw ${binding.password}`,
    `directory ${join(folder, 'db')}`,
    'access to * by * read',
  ]
  writeFileSync(join(folder, 'slapd.conf'), `${config.join('\n')}\n`)
  const tops = [
    `dn: ${suffix}\nobjectClass: domain\ndc: example`,
    `dn: ${people}\nobjectClass: organizationalUnit\nou: people`,
    `dn: ou=guests,${suffix}\nobjectClass: organizationalUnit\nou: guests`,
  ]
  const conf = join(folder, 'slapd.conf')
  execFileSync('/usr/sbin/slapadd', ['-f', conf], {
    input: `${tops.join('\n\n')}\n`,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const [port, securePort] = [await freePort(), await freePort()]
  const url = `ldap://127.0.0.1:${port}`
  const secureUrl = `ldaps://localhost:${securePort}`
  const slapd = spawn('/usr/sbin/slapd', ['-d', '0', '-f', conf, '-h', `${url} ${secureUrl}`], {
    stdio: 'ignore',
  })
  const ended = once(slapd, 'exit')
  const stop = async () => {
    slapd.kill()
    await ended
  }
  leftovers.push(async () => {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  })
  await listening(port)
  return {
    url,
    secureUrl,
    stop,
    add: (...added) => {
      const entries = added.map((person) => entryOf(person))
      const as = ['-x', '-H', url, '-D', binding.dn, '-w', binding.password]
      execFileSync('/usr/bin/ldapadd', as, { input: entries.join('\n\n'), stdio: ['pipe', 'ignore', 'pipe'] })
    },
  }
}

function entryOf({ uid, password, mail, name = uid, groups = [], ou = 'people' }: DirectoryPersonAt): string {
  const coded = (text: string) => Buffer.from(text).toString('base64')
  const named = uid.replaceAll(/[\\,+"<>;=]/g, (one) => `\\${one}`).replaceAll('\0', '\\00')
  // Several with the same uid lie in different places.
  return [
    `dn:: ${coded(`uid=${named},ou=${ou},${suffix}`)}`,
    'objectClass: inetOrgPerson',
    'objectClass: grouped',
    `uid:: ${coded(uid)}`,
    `cn:: ${coded(name)}`,
    `sn:: ${coded(name)}`,
    ...(mail === undefined ? [] : [`mail: ${mail}`]),
    ...(password === undefined ? [] : [`userPassword:: ${coded(password)}`]),
    ...groups.map((group) => `memberOf: cn=${group},ou=groups,${suffix}`),
  ].join('\n')
}

async function listening(port: number): Promise<void> {
  for (;;) {
    const socket = net.connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20))
    } finally {
      socket.destroy()
    }
  }
}

/** Settings that lead to it. */
export const settingsOf = ({ url }: Pick<TestDirectory, 'url'>) => ({
  AUTH_LDAP_SERVER_URI: url,
  AUTH_LDAP_BIND_DN: binding.dn,
  AUTH_LDAP_BIND_PASSWORD: binding.password,
  AUTH_LDAP_SEARCH_OU: people,
  AUTH_LDAP_SEARCH_FILTER: '(uid=%(user)s)',
  AUTH_LDAP_USER_ATTR_MAP: { username: 'uid', name: 'cn', email: 'mail', groups: 'memberOf' },
  AUTH_LDAP: true,
})
