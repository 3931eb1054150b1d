/** One mail to one address by SMTP. Every wait has an end, whatever the server does. */
import { createTransport } from 'nodemailer'
import { inOneLine } from '../../kernel/one-line.ts'

export interface MailServer {
  host: string
  port: number
  user: string
  /** None: nobody signs in. */
  password: string | undefined
  /** `ssl`: TLS from the first byte; `starttls`: TLS or nothing; `offered`: TLS where the server offers it, whoever it is. */
  security: 'ssl' | 'starttls' | 'offered'
  from: string
}
export interface Mail {
  subject: string
  text: string
  html: string
}

/** The mail server did not take a mail. `isFinal`: it never will, so trying again is of no use. The message is for administrators. */
export class MailRefused extends Error {
  override name = 'MailRefused'
  readonly isFinal: boolean
  constructor(message: string, options: { isFinal: boolean; cause?: unknown }) {
    super(message, { cause: options.cause })
    this.isFinal = options.isFinal
  }
}

const connectTimeoutMs = 10_000
const silenceTimeoutMs = 20_000
/** Of all of it, however busy the server pretends to be. */
export const sendTimeoutMs = 40_000

/** One address and nothing else: no name, no second one, no line end. */
const address = /^[^\s<>(),;:"[\]\\@]+@[^\s<>(),;:"[\]\\@]+$/
export const isMailAddress = (text: string) => text.length <= 254 && address.test(text)
/** What follows a line end would be a header. */
const mostOfHeader = 1024

/** @throws MailRefused */
export async function sendMail(
  server: MailServer,
  to: string,
  mail: Mail,
  signal?: AbortSignal,
): Promise<void> {
  for (const one of [to, server.from])
    if (!isMailAddress(one))
      throw new MailRefused(`${inOneLine(one, mostOfHeader)} is no mail address`, { isFinal: true })
  const transport = createTransport({
    host: server.host,
    port: server.port,
    secure: server.security === 'ssl',
    requireTLS: server.security === 'starttls',
    opportunisticTLS: server.security === 'offered',
    tls: { rejectUnauthorized: server.security !== 'offered' },
    ...(server.password !== undefined && { auth: { user: server.user, pass: server.password } }),
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    dnsTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const ends = AbortSignal.any([AbortSignal.timeout(sendTimeoutMs), ...(signal ? [signal] : [])])
  const ended = new Promise<never>((_resolve, reject) => {
    const end = () => reject(new MailRefused('The mail server took too long', { isFinal: false }))
    if (ends.aborted) end()
    else ends.addEventListener('abort', end, { once: true })
  })
  const sending = transport.sendMail({
    from: { name: '', address: server.from },
    to: { name: '', address: to },
    subject: inOneLine(mail.subject, mostOfHeader),
    text: mail.text,
    html: mail.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  })
  try {
    await Promise.race([sending, ended])
  } catch (error) {
    sending.catch(() => {})
    throw refusalOf(error)
  } finally {
    transport.close()
  }
}

function refusalOf(error: unknown): MailRefused {
  if (error instanceof MailRefused) return error
  const { responseCode, code, message } = error as { responseCode?: number; code?: string; message?: string }
  // 5yz of the recipient or the content is for good (RFC 5321 4.2.1); of signing in, an administrator mends it.
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  return new MailRefused(inOneLine(message ?? 'unknown', 300), {
    isFinal: isAboutMail && responseCode !== undefined && responseCode >= 500,
    cause: error,
  })
}
