import { createHash } from 'node:crypto'
import {
  chunkHeaders,
  missingChunksSchema,
  type CommandRecord,
  type FinishedRecording,
  type NewSession,
  type SessionChange,
} from '@sallyport/contract/gateway/books'
import {
  createdTokenSchema,
  grantedAccountsSchema,
  grantedAssetsSchema,
  grantedNodesSchema,
  profileSchema,
  tokenSecretSchema,
  type CreatedToken,
  type GrantedAccounts,
  type GrantedAssets,
  type GrantedNodes,
  type Profile,
  type TokenRequest,
  type TokenSecret,
} from '@sallyport/contract/gateway/grants'
import {
  acceptedHostKeysSchema,
  hostKeyVerdictSchema,
  ownHostKeysSchema,
  type HostKey,
  type HostKeyTarget,
  type HostKeyVerdict,
  type SeenHostKey,
} from '@sallyport/contract/gateway/host-keys'
import {
  registrationSchema,
  terminalConfigSchema,
  type TerminalConfig,
} from '@sallyport/contract/gateway/registration'
import type { EndReason } from '@sallyport/contract/recording'
import type { Language } from '@sallyport/contract/messages/language'
import { ServerRefusedError } from './errors.ts'
import type { AccessKey } from './signature.ts'
import type { Transport } from './transport.ts'

export interface ChunkUpload {
  number: number
  bytes: Uint8Array
  start_ms: number
  end_ms: number
  is_keyframe: boolean
}

export interface SessionEnd {
  is_success: boolean
  end_reason: EndReason
  end_detail: string
  /** ISO 8601 */
  date_end: string
}

export interface AssetFilter {
  limit: number
  offset: number
  order: string
  search?: string[]
  address?: string
  category?: string
  node_id?: string
  rebuild_tree?: boolean
}

/** The calls the gateway makes. Each throws ServerRefusedError or ServerAwayError. */
export class ApiClient {
  readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }

  async register(bootstrapToken: string, name: string): Promise<AccessKey> {
    const registration = await this.transport.call(
      {
        method: 'POST',
        path: 'terminal/terminal-registrations/',
        json: { name, type: 'koko', comment: 'Sallyport gateway' },
        signed: false,
        headers: { authorization: `BootstrapToken ${bootstrapToken}` },
      },
      registrationSchema,
    )
    return registration.service_account.access_key
  }

  /** The gateway's own account: shows that its key is good. */
  async ownProfile(): Promise<Profile> {
    return this.transport.call({ method: 'GET', path: 'users/profile/', retry: true }, profileSchema)
  }

  async terminalConfig(): Promise<TerminalConfig> {
    return this.transport.call({ method: 'GET', path: 'terminal/terminals/config/' }, terminalConfigSchema)
  }

  async grantedAssets(userId: string, filter: AssetFilter): Promise<GrantedAssets> {
    const query = new URLSearchParams({
      limit: String(filter.limit),
      offset: String(filter.offset),
      order: filter.order,
    })
    for (const term of filter.search ?? []) query.append('search', term)
    if (filter.address) query.set('address', filter.address)
    if (filter.category) query.set('category', filter.category)
    if (filter.rebuild_tree) query.set('rebuild_tree', '1')
    const folder = filter.node_id ? `nodes/${filter.node_id}/assets/` : 'assets/'
    return this.transport.call(
      { method: 'GET', path: `perms/users/${userId}/${folder}?${query.toString()}`, retry: true },
      grantedAssetsSchema,
    )
  }

  async grantedNodes(userId: string): Promise<GrantedNodes> {
    const path = `perms/users/${userId}/nodes/`
    return this.transport.call({ method: 'GET', path, retry: true }, grantedNodesSchema)
  }

  async grantedAccounts(userId: string, assetId: string): Promise<GrantedAccounts> {
    const path = `perms/users/${userId}/assets/${assetId}/accounts/`
    return this.transport.call({ method: 'GET', path, retry: true }, grantedAccountsSchema)
  }

  async createToken(
    request: TokenRequest,
    from: { remoteAddress: string; language: Language },
  ): Promise<CreatedToken> {
    return this.transport.call(
      {
        method: 'POST',
        path: 'authentication/super-connection-token/',
        json: { ...request, remote_addr: from.remoteAddress },
        headers: { 'accept-language': from.language },
      },
      createdTokenSchema,
    )
  }

  /** Uses the token up. */
  async tokenSecret(id: string, language: Language): Promise<TokenSecret> {
    return this.transport.call(
      {
        method: 'POST',
        path: 'authentication/super-connection-token/secret/',
        json: { id },
        headers: { 'accept-language': language },
      },
      tokenSecretSchema,
    )
  }

  /** The keys a target may show; none before anybody's first visit to it. */
  async acceptedHostKeys(target: HostKeyTarget): Promise<HostKey[]> {
    const query = new URLSearchParams(target)
    const call = {
      method: 'GET',
      path: `terminal/host-keys/accepted/?${query.toString()}`,
      retry: true,
    } as const
    return (await this.transport.call(call, acceptedHostKeysSchema)).keys
  }

  /**
   * Tells what a target showed and answers whether it is to be trusted: the first key of an address is accepted, any other one waits for an
   * administrator.
   */
  async reportHostKey(seen: SeenHostKey): Promise<HostKeyVerdict> {
    return this.transport.call(
      { method: 'POST', path: 'terminal/host-keys/seen/', json: seen, retry: true },
      hostKeyVerdictSchema,
    )
  }

  /** The private keys all gateways show: those offered when no gateway offered any before. */
  async ownHostKeys(offered: string[]): Promise<string[]> {
    const json = { keys: offered }
    const call = { method: 'POST', path: 'terminal/host-keys/own/', json, retry: true } as const
    return (await this.transport.call(call, ownHostKeysSchema)).keys
  }

  async createSession(session: NewSession): Promise<void> {
    await this.transport.answer({ method: 'POST', path: 'terminal/sessions/', json: session })
  }

  /** The target has let the person in. */
  async sessionConnected(id: string): Promise<void> {
    const json: SessionChange = { is_success: true }
    await this.transport.answer({ method: 'PATCH', path: `terminal/sessions/${id}/`, json, retry: true })
  }

  async endSession(id: string, end: SessionEnd): Promise<void> {
    const json: SessionChange = { is_finished: true, ...end }
    await this.transport.answer({ method: 'PATCH', path: `terminal/sessions/${id}/`, json })
  }

  async addCommands(records: CommandRecord[]): Promise<void> {
    await this.transport.answer({ method: 'POST', path: 'terminal/commands/', json: records })
  }

  async putChunk(sessionId: string, chunk: ChunkUpload, signal: AbortSignal): Promise<void> {
    await this.transport.answer({
      method: 'PUT',
      path: `terminal/sessions/${sessionId}/recording/chunks/${chunk.number}/`,
      bytes: chunk.bytes,
      headers: {
        'content-type': 'application/octet-stream',
        [chunkHeaders.sha256]: createHash('sha256').update(chunk.bytes).digest('hex'),
        [chunkHeaders.startMs]: String(chunk.start_ms),
        [chunkHeaders.endMs]: String(chunk.end_ms),
        ...(chunk.is_keyframe ? { [chunkHeaders.keyframe]: '1' } : {}),
      },
      signal,
    })
  }

  /** The numbers of the chunks the server lacks; empty when the recording is complete there. */
  async finishRecording(
    sessionId: string,
    recording: FinishedRecording,
    signal: AbortSignal,
  ): Promise<number[]> {
    try {
      await this.transport.answer({
        method: 'POST',
        path: `terminal/sessions/${sessionId}/recording/finish/`,
        json: recording,
        signal,
      })
      return []
    } catch (error) {
      if (!(error instanceof ServerRefusedError) || error.status !== 409) throw error
      const parsed = missingChunksSchema.safeParse(error.body)
      if (!parsed.success) throw error
      return parsed.data.missing
    }
  }

  async finishTask(id: string): Promise<void> {
    const path = `terminal/tasks/${id}/`
    await this.transport.answer({ method: 'PATCH', path, json: { is_finished: true }, retry: true })
  }
}
