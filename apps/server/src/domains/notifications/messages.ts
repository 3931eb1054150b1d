/**
 * Every message there is: what it is about, whom it can be for, how it travels, and what it says. The texts stand in the contract's
 * catalogue, in three languages, as `<type>.subject` and `<type>.body`.
 */
import { fill, type Language, mailTexts } from '@sallyport/contract'
import type { Mail } from './smtp.ts'

/** What a message says besides who it is for: `{name}`, `{username}` and `{email}` are always there. */
type Params = Readonly<Record<string, string | number>>

export interface Personal<P extends Params> {
  for: 'person'
  /** `mail`: it says what only the holder of the mailbox may know, or is for somebody who cannot sign in. */
  by: 'all channels' | 'mail'
  /** After which a mail of it is of no use. */
  ttlSeconds: number
  readonly params?: P
}
const daySeconds = 86_400
const personal = <P extends Params>(given: Partial<Omit<Personal<P>, 'for'>> = {}): Personal<P> => ({
  for: 'person',
  by: 'all channels',
  ttlSeconds: 3 * daySeconds,
  ...given,
})

// eslint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type TicketTold = { title: string; number: string; link: string }
// eslint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type AssetLoginTold = {
  user: string
  asset: string
  account: string
  ip: string
  time: string
  rule: string
}
/** For one person, by the channels that person chose. */
export const personalMessages = {
  UserCreatedMsg: personal<{ link: string; hours: number }>({ by: 'mail' }),
  ResetPasswordMsg: personal<{ link: string; hours: number }>({ by: 'mail', ttlSeconds: 3600 }),
  ResetPasswordSuccessMsg: personal<{ ip: string; by: string }>(),
  ResetPublicKeySuccessMsg: personal<{ ip: string; by: string }>(),
  ResetSSHKeyMsg: personal<{ link: string }>(),
  MFABoundMsg: personal<{ ip: string; by: string }>(),
  MFADisabledMsg: personal<{ ip: string; by: string }>(),
  RecoveryCodesRenewedMsg: personal<{ ip: string; by: string }>(),
  PasskeyAddedMsg: personal<{ ip: string; by: string }>(),
  PasskeyRemovedMsg: personal<{ ip: string; by: string }>(),
  ResetMFAMsg: personal<{ link: string }>(),
  PasswordExpirationReminderMsg: personal<{ days: number; link: string }>(),
  UserExpirationReminderMsg: personal<{ date: string }>(),
  PermedAssetsWillExpireUserMsg: personal<{ permissions: string; link: string }>(),
  AssetPermsWillExpireForOrgAdminMsg: personal<{ count: number; permissions: string; link: string }>(),
  DifferentCityLoginMessage: personal<{ time: string; ip: string }>(),
  LoginNoticeMsg: personal<{ user: string; ip: string; time: string; rule: string }>(),
  AssetLoginNoticeMsg: personal<AssetLoginTold>(),
  AssetLoginWarningMsg: personal<AssetLoginTold>(),
  CommandNoticeMsg: personal<{
    user: string
    asset: string
    account: string
    command: string
    rule: string
    link: string
  }>(),
  TicketAppliedToAssigneeMessage: personal<TicketTold & { applicant: string }>(),
  TicketApprovedToApplicantMessage: personal<TicketTold & { processor: string }>(),
  TicketRejectedToApplicantMessage: personal<TicketTold & { processor: string }>(),
  VerifyCodeMsg: personal<{ code: string; seconds: number }>({ by: 'mail', ttlSeconds: 300 }),
} as const
export type PersonalType = keyof typeof personalMessages
export type ParamsOf<T extends PersonalType> =
  (typeof personalMessages)[T] extends Personal<infer P> ? P : never

export interface OfSystem<P extends Params> {
  for: 'subscribers'
  /** Where it stands in the list of subscriptions. */
  category: 'Operations' | 'terminal'
  /** Who hears of it until somebody chooses. */
  first: 'administrators' | 'nobody'
  readonly params?: P
}
const ofSystem = <P extends Params>(
  category: OfSystem<P>['category'],
  first: OfSystem<P>['first'],
): OfSystem<P> => ({ for: 'subscribers', category, first })

/** For those who subscribed to it, by the channels set there. */
export const systemMessages = {
  ServerPerformanceMessage: ofSystem<{ components: string }>('Operations', 'administrators'),
  MailUndeliveredMessage: ofSystem<{ address: string; reason: string }>('Operations', 'administrators'),
  CommandAlertMessage: ofSystem<{ command: string; asset: string; user: string; link: string }>(
    'terminal',
    'nobody',
  ),
  CommandExecutionAlert: ofSystem<{ command: string; assets: string; user: string }>('terminal', 'nobody'),
} as const
export type SystemType = keyof typeof systemMessages
export type SystemParamsOf<T extends SystemType> =
  (typeof systemMessages)[T] extends OfSystem<infer P> ? P : never
export const systemTypes = Object.keys(systemMessages) as SystemType[]
const isSystemType = (type: string): type is SystemType => Object.hasOwn(systemMessages, type)
const isPersonalType = (type: string): type is PersonalType => Object.hasOwn(personalMessages, type)

/** What a message of the site says to one who reads it; one person's to others is a text and nothing else. */
export function renderStored(
  type: string,
  params: Params,
  language: Language,
  reader: { name: string; username: string },
): Pick<Mail, 'subject' | 'html'> {
  if (isSystemType(type) || isPersonalType(type)) return render(type, language, { ...params, ...reader })
  const { subject = '', message = '' } = params
  return { subject: String(subject), html: paragraphs(String(message).split('\n'), {}) }
}

/** As a mail: with who it is from below it. */
export function signed({ subject, text, html }: Mail, signature: string): Mail {
  return { subject, text: `${text}\n\n${signature}`, html: `${html}\n<p>${escapeHtml(signature)}</p>` }
}

/** What one message says in one language. */
export function render(
  type: PersonalType | SystemType,
  language: Language,
  params: Params,
  overrides: { subject?: string; body?: string } = {},
): Mail {
  const texts = mailTexts[language]
  const subject = overrides.subject || texts[`${type}.subject`]
  const lines = (overrides.body || texts[`${type}.body`]).split('\n')
  return {
    subject: fill(subject, params),
    text: lines.map((line) => fill(line, params)).join('\n'),
    html: paragraphs(lines, params),
  }
}

const paragraphs = (lines: readonly string[], params: Params) =>
  lines.map((line) => paragraph(line, params)).join('\n')
/** A line of a text as HTML: nothing that is filled in is anything but text, and a link is one only to a page of the web. */
function paragraph(line: string, params: Params): string {
  const escaped: Params = Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const text = escapeHtml(String(value))
      return [name, name === 'link' && /^https?:\/\//.test(text) ? `<a href="${text}">${text}</a>` : text]
    }),
  )
  const html = fill(escapeHtml(line), escaped)
  return html === '' ? '<br>' : `<p>${html}</p>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '')
