import type { Language } from '@sallyport/contract/messages/language'
import type { GatewayMenuKey } from '@sallyport/contract/messages/gateway-menu'
import type { SessionRequest, Directory, GrantedAccount, GrantedAsset, Person } from '../services.ts'
import { say } from '../text.ts'
import { table } from './table.ts'
import type { Line, Tty } from './tty.ts'

/** The end of the terminal, told apart from a person who changed their mind. */
export class TtyEnd extends Error {
  readonly line: Line

  constructor(line: Line) {
    super('The terminal has ended')
    this.line = line
  }
}

/** Questions in front of a session, in one language, with the idle limit. */
export interface Dialog {
  tty: Tty
  language: Language
  idleMs: number
}

/** One line of text; undefined for `^C`. Throws `TtyEnd` when there is nobody any more. */
export async function askLine(dialog: Dialog, prompt: string, hidden = false): Promise<string | undefined> {
  const line = await dialog.tty.ask(prompt, { hidden, idleMs: dialog.idleMs })
  if (line.kind === 'text') return line.text
  if (line.kind === 'cancel') return undefined
  throw new TtyEnd(line)
}

const MAX_ANSWERS = 3

/** Shows rows with IDs from 1 and asks for one; undefined when the person goes back. */
export async function chooseRow<T>(
  dialog: Dialog,
  prompt: GatewayMenuKey,
  headings: GatewayMenuKey[],
  options: T[],
  cells: (option: T) => string[],
): Promise<T | undefined> {
  const { tty, language } = dialog
  const titles = headings.map((key) => say(language, key))
  const rows = options.map((option, index) => [String(index + 1), ...cells(option)])
  tty.print(
    ...table([say(language, 'col_id'), ...titles], rows, tty.size.cols),
    '',
    say(language, 'choose_hint'),
  )
  for (let answers = 0; answers < MAX_ANSWERS; answers++) {
    const text = (await askLine(dialog, say(language, prompt)))?.trim().toLowerCase()
    if (text === undefined || text === 'q' || text === 'b') return undefined
    const chosen = /^\d{1,6}$/.test(text) ? options[Number(text) - 1] : undefined
    if (chosen !== undefined) return chosen
    tty.print(say(language, 'no_such_choice'))
  }
  return undefined
}

type Grant = Extract<SessionRequest, { kind: 'grant' }>

/** Asks what is still open for a session on `asset`: protocol, account, name and secret. Undefined when it does not come to one. */
export async function chooseSession(
  dialog: Dialog,
  directory: Directory,
  person: Person,
  asset: GrantedAsset,
  offered: readonly string[],
): Promise<Grant | undefined> {
  const { tty, language } = dialog
  const usable = asset.protocols.filter(({ name }) => offered.includes(name))
  if (usable.length === 0) {
    const names = asset.protocols.map(({ name }) => name).join(', ')
    tty.print(say(language, 'protocol_unsupported', { protocols: names }))
    return undefined
  }
  const protocol =
    usable.length === 1
      ? usable[0]
      : await chooseRow(dialog, 'choose_protocol', ['col_name'], usable, ({ name, port }) => [
          `${name} (${port})`,
        ])
  if (!protocol) return undefined
  const accounts = await directory.accounts(person, asset.id)
  if (accounts.length === 0) {
    tty.print(say(language, 'no_account', { asset: asset.name }))
    return undefined
  }
  const account =
    accounts.length === 1
      ? accounts[0]
      : await chooseRow(dialog, 'choose_account', ['col_name', 'col_username'], accounts, (one) => [
          one.name,
          one.username,
        ])
  return account && (await completeGrant(dialog, person, asset, account, protocol.name))
}

/** Asks for name and secret where the account has none stored. */
export async function completeGrant(
  dialog: Dialog,
  person: Person,
  asset: GrantedAsset,
  account: GrantedAccount,
  protocol: string,
  knownUsername?: string,
): Promise<Grant | undefined> {
  const { language } = dialog
  const { id, name, address } = asset
  const grant: Grant = {
    kind: 'grant',
    person,
    asset: { id, name, address },
    account: account.alias,
    username: account.alias === '@USER' ? person.username : account.username,
    protocol,
  }
  if (account.alias === '@INPUT') {
    const typed = knownUsername ?? (await askLine(dialog, say(language, 'ask_username')))?.trim()
    if (!typed) return undefined
    grant.username = typed
    grant.input_username = typed
  }
  if (!account.has_secret) {
    const secret = await askLine(dialog, say(language, 'ask_password', { username: grant.username }), true)
    if (secret === undefined) return undefined
    grant.input_secret = secret
  }
  return grant
}
