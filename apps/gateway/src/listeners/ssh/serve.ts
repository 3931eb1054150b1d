import type { GatewayMenuKey } from '@sallyport/contract/messages/gateway-menu'
import type { Params } from '@sallyport/contract/messages/language'
import type { Logger } from 'pino'
import type { Identity } from './authentication.ts'
import type { SshChannelClient } from './client.ts'
import type { ChannelHandlers } from './connection.ts'
import { DirectError, resolveDirect } from './direct.ts'
import type { Languages } from './languages.ts'
import { Menu } from './menu/menu.ts'
import { TtyEnd, type Dialog } from './menu/choose.ts'
import { Tty } from './menu/tty.ts'
import type { Directory, OpenSession, Origin, SessionRequest } from './services.ts'
import { say } from './text.ts'

export interface ServeOptions {
  directory: Directory
  openSession: OpenSession
  /** Protocols a session can be opened with from here. */
  protocols: readonly string[]
  languages: Languages
  log: Logger
}

/** File transfer programs need the sftp subsystem or talk to their like on the other side. */
const FILE_TRANSFER = /^\s*(?:\S*\/)?(?:scp|sftp-server)(?:\s|$)/

/** What each channel of a logged-in person does: a session, the menu, or a refusal with a sentence. */
export function channelsOf(
  identity: Identity,
  remoteAddress: string,
  options: ServeOptions,
): ChannelHandlers {
  const { person } = identity
  const from: Origin = { remoteAddress, origin: {} }
  const languageFor = (client: SshChannelClient) =>
    options.languages.ofPerson(person.id, remoteAddress, client.locale['LANG'])
  const refuse = (client: SshChannelClient, key: GatewayMenuKey, params?: Params) => {
    client.notice(say(languageFor(client), key, params))
    client.exit({ kind: 'status', code: 1 })
  }

  const serve = async (client: SshChannelClient): Promise<void> => {
    if (client.kind === 'exec' && FILE_TRANSFER.test(client.command ?? '')) refuse(client, 'files_refused')
    else if (client.kind === 'exec' && identity.kind === 'menu') refuse(client, 'command_needs_target')
    else if (identity.kind === 'menu' && !client.terminal) refuse(client, 'needs_terminal')
    else if (identity.kind === 'token') await open(client, { kind: 'token', person, token: identity.token })
    else if (identity.kind === 'menu') await menu(client)
    else if (client.kind === 'shell' && client.terminal) await directShell(client, identity)
    else {
      const { directory, protocols } = options
      const request = await resolveDirect(directory, person, identity, protocols, undefined)
      if (request) await open(client, request)
    }
  }

  const open = async (client: SshChannelClient, request: SessionRequest) => {
    if (client.isGone) return
    await options.openSession(request, client, { ...from, language: languageFor(client) })
  }

  const directShell = async (client: SshChannelClient, target: Extract<Identity, { kind: 'direct' }>) => {
    const { directory, protocols } = options
    const tty = new Tty(client)
    const dialog: Dialog = { tty, language: languageFor(client), idleMs: idleMs() }
    const request = await resolveDirect(directory, person, target, protocols, dialog)
    if (!request || client.isGone) client.exit({ kind: 'status', code: 1 })
    else {
      tty.release()
      await open(client, request)
    }
  }

  const menu = async (client: SshChannelClient) => {
    const tty = new Tty(client)
    await new Menu({
      tty,
      directory: options.directory,
      person,
      language: languageFor(client),
      protocols: options.protocols,
      connect: (request, language) =>
        tty.lend((lent) => options.openSession(request, lent, { ...from, language })),
      onError: (error) => options.log.warn({ err: error }, 'the menu could not reach the server'),
      onLanguage: (language) => options.languages.choose(person.id, remoteAddress, language),
    }).run()
    tty.print(say(languageFor(client), 'goodbye'))
    client.exit({ kind: 'status', code: 0 })
  }

  const idleMs = () => options.directory.settings().max_idle_minutes * 60_000

  const failed = (client: SshChannelClient, error: unknown) => {
    if (error instanceof TtyEnd) {
      const minutes = options.directory.settings().max_idle_minutes
      if (error.line.kind === 'idle') client.notice(say(languageFor(client), 'idle', { minutes }))
      client.exit({ kind: 'status', code: error.line.kind === 'idle' ? 1 : 0 })
    } else if (error instanceof DirectError) refuse(client, error.key, error.params)
    else {
      options.log.warn({ err: error, user: person.username }, 'an ssh channel could not be served')
      refuse(client, 'server_failed')
    }
  }

  return {
    open: (client) => void serve(client).catch((error: unknown) => failed(client, error)),
    files: (client) => refuse(client, 'files_refused'),
  }
}
