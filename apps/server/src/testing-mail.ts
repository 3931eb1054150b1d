/** A real SMTP server on loopback, which keeps what it takes and misbehaves on demand. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll } from 'vitest'

export interface TakenMail {
  from: string
  to: string[]
  raw: string
  isSecure: boolean
  user: string | undefined
  /** The plain text, decoded. */
  text: string
  subject: string
}
export interface TestMailServer {
  port: number
  mails: TakenMail[]
  /** What it is to do with the next mails: take them, refuse the recipient for good or for now, or never answer. */
  behave: 'take' | 'refuse' | 'later' | 'hang' | 'drop'
  /** Tries so far, of recipients. */
  tries: number
}

function certificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-smtp-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  )
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

/** @param options.trusted whether this process takes the server's certificate */
export async function startMailServer({
  trusted = true,
  ...options
}: SMTPServerOptions & { trusted?: boolean } = {}): Promise<TestMailServer> {
  const own = certificate()
  if (trusted) tls.setDefaultCACertificates([...tls.getCACertificates('default'), own.cert])
  const at: TestMailServer = { port: 0, mails: [], behave: 'take', tries: 0 }
  const server: SMTPServer = new SMTPServer({
    ...own,
    authOptional: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('Invalid login')),
    onRcptTo: (_address, _session, done) => {
      at.tries += 1
      if (at.behave === 'hang') return
      if (at.behave === 'drop') {
        for (const client of server.connections as Set<{ close(): void }>) client.close()
        return
      }
      if (at.behave === 'take') return done()
      const isFinal = at.behave === 'refuse'
      done(Object.assign(new Error('no such mailbox'), { responseCode: isFinal ? 550 : 450 }))
    },
    onData: (stream, { envelope: { mailFrom, rcptTo }, secure, user }, done) => {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const raw = Buffer.concat(pieces).toString()
        at.mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw,
          isSecure: secure,
          user: user === undefined ? undefined : String(user),
          ...readable(raw),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  if (!listening.listening) await once(listening, 'listening')
  at.port = (listening.address() as AddressInfo).port
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return at
}

/** Subject and plain text of a mail with a text and an HTML part. */
function readable(raw: string): Pick<TakenMail, 'text' | 'subject'> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
  const subject = /^Subject: (.*)$/m.exec(head)?.[1] ?? ''
  const part = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(raw)
  const encoding = /Content-Transfer-Encoding: (\S+)/.exec(part?.[0] ?? '')?.[1]
  const body = part?.[1] ?? ''
  return {
    subject: subject
      .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=\s?/gi, (_whole, kind: string, coded: string) =>
        kind.toUpperCase() === 'B'
          ? Buffer.from(coded, 'base64').toString()
          : unquoted(coded.replaceAll('_', ' ')),
      )
      .trim(),
    text:
      encoding === 'base64'
        ? Buffer.from(body, 'base64').toString()
        : encoding === 'quoted-printable'
          ? unquoted(body.replaceAll('=\r\n', ''))
          : body,
  }
}
const unquoted = (coded: string) =>
  Buffer.from(
    coded.replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString()

/** Settings that lead to it. */
export const settingsOf = ({ port }: Pick<TestMailServer, 'port'>) => ({
  EMAIL_HOST: '127.0.0.1',
  EMAIL_PORT: String(port),
  EMAIL_HOST_USER: 'sallyport@example.com',
  EMAIL_SUBJECT_PREFIX: '[Sallyport] ',
})
