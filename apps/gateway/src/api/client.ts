import { createHash } from 'node:crypto'
import {
  begunSessionSchema,
  chunkHeaders,
  missingChunksSchema,
  storedChunkSchema,
  type BegunSession,
  type CommandRecord,
  type FinishedRecording,
  type NewSession,
  type SessionWanted,
} from '@sallyport/contract/gateway/books'
import {
  directTargetsSchema,
  grantedAccountsSchema,
  grantedAssetsSchema,
  grantedNodesSchema,
  profileSchema,
  tokenOwnerSchema,
  tokenSecretSchema,
  type DirectTargets,
  type GrantedAccounts,
  type GrantedAssets,
  type GrantedNodes,
  type Profile,
  type TokenSecret,
} from '@sallyport/contract/gateway/grants'
import {
  acceptedHostKeysSchema,
  hostKeyVerdictSchema,
  ownHostKeysSchema,
  type HostKey as TargetKey,
  type HostKeyTarget,
  type HostKeyVerdict,
  type SeenHostKey,
} from '@sallyport/contract/gateway/host-keys'
import { claimedBatchSchema, type ClaimedBatch, type ProbeResult } from '@sallyport/contract/gateway/probes'
import {
  registrationSchema,
  terminalConfigSchema,
  type TerminalConfig,
} from '@sallyport/contract/gateway/registration'
import {
  assetLoginReviewSchema,
  reviewSchema,
  reviewStatusSchema,
  type AssetLoginAsked,
  type CommandAlert,
  type CommandAsked,
  type Review,
  type ReviewStatus,
} from '@sallyport/contract/gateway/reviews'
import { chunkPath, type EndReason } from '@sallyport/contract/recording'
import type { Language } from '@sallyport/contract/messages/language'
import { type AnswerOf, type Callable, requestOf } from '@sallyport/contract/resource/calls'
import { detailUrl, listUrl, type RowOf } from '@sallyport/contract/resource/resource'
import { SuperConnectionToken } from '@sallyport/contract/resources/authentication'
import { Terminal, TerminalRegistration, TerminalTask } from '@sallyport/contract/resources/components'
import { UserGrants } from '@sallyport/contract/resources/grants'
import { HostKey } from '@sallyport/contract/resources/host-keys'
import { ProbeBatches } from '@sallyport/contract/resources/probes'
import { CommandReview, LoginAssetCheck } from '@sallyport/contract/resources/reviews'
import { Command, Session } from '@sallyport/contract/resources/terminal'
import { SuperTicket } from '@sallyport/contract/resources/tickets'
import { Profile as OwnProfile } from '@sallyport/contract/resources/users'
import type { z } from 'zod'
import { ServerRefusedError } from './errors.ts'
import type { AccessKey } from './signature.ts'
import type { Call, Transport } from './transport.ts'

type Given<O extends Callable, N extends keyof O['calls'] & string> = Parameters<typeof requestOf<O, N>>[2]
/** A schema that takes what the declaration says is answered (one form of it, where there are several), so that nothing is renamed unnoticed. */
type Reading<A, S extends z.ZodType> = [A extends z.input<S> ? A : never] extends [never] ? never : S
type Options = Omit<Call, 'method' | 'path' | 'query' | 'body'>

/** A recording of a session: its number. */
export interface RecordingName {
  sessionId: string
  number: number
}

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

  /** A declared call; what is answered is not looked at. */
  async #tell<O extends Callable, N extends keyof O['calls'] & string>(
    of: O,
    name: N,
    given: Given<O, N>,
    options: Options = {},
  ): Promise<void> {
    await this.transport.answer({ ...requestOf(of, name, given), ...options })
  }

  /** A declared call, its answer read by `schema`. */
  async #ask<O extends Callable, N extends keyof O['calls'] & string, S extends z.ZodType>(
    [of, name, given]: readonly [O, N, Given<O, N>],
    schema: S & Reading<AnswerOf<O['calls'][N], RowOf<O>>, S>,
    options: Options = { retry: true },
  ): Promise<z.output<S>> {
    return await this.transport.call({ ...requestOf(of, name, given), ...options }, schema)
  }

  async register(bootstrapToken: string, name: string): Promise<AccessKey> {
    const body = { name, type: 'koko', comment: 'Sallyport gateway' } as const
    const registration = await this.#ask([TerminalRegistration, 'register', { body }], registrationSchema, {
      signed: false,
      headers: { authorization: `BootstrapToken ${bootstrapToken}` },
    })
    return registration.service_account.access_key
  }

  /** The gateway's own account: shows that its key is good. */
  async ownProfile(): Promise<Profile> {
    return this.transport.call({ method: 'GET', path: listUrl(OwnProfile), retry: true }, profileSchema)
  }

  async terminalConfig(): Promise<TerminalConfig> {
    return this.#ask([Terminal, 'config', {}], terminalConfigSchema, {})
  }

  async grantedAssets(user: string, { node_id: node, ...filter }: AssetFilter): Promise<GrantedAssets> {
    const query = { ...filter, rebuild_tree: filter.rebuild_tree ? 1 : undefined }
    return node
      ? this.#ask([UserGrants, 'nodeAssets', { user, node, query }], grantedAssetsSchema)
      : this.#ask([UserGrants, 'assets', { user, query }], grantedAssetsSchema)
  }

  async grantedNodes(user: string): Promise<GrantedNodes> {
    return this.#ask([UserGrants, 'nodes', { user }], grantedNodesSchema)
  }

  async grantedAccounts(user: string, asset: string): Promise<GrantedAccounts> {
    return this.#ask([UserGrants, 'accounts', { user, asset }], grantedAccountsSchema)
  }

  /** What a direct login names. */
  async directTargets(user: string, query: { address: string; protocol: string }): Promise<DirectTargets> {
    return this.#ask([UserGrants, 'direct', { user, query }], directTargetsSchema)
  }

  /** Whose a usable token is; uses nothing up. */
  async tokenOwner(id: string): Promise<{ username: string }> {
    return this.#ask([SuperConnectionToken, 'owner', { query: { id } }], tokenOwnerSchema)
  }

  /** Uses the token up; with `value`, only where that is the token's. */
  async tokenSecret(id: string, language: Language, value?: string): Promise<TokenSecret> {
    return this.#ask([SuperConnectionToken, 'take', { body: { id, value } }], tokenSecretSchema, {
      headers: { 'accept-language': language },
    })
  }

  /** The keys a target may show; none before anybody's first visit to it. */
  async acceptedHostKeys({ asset, address }: HostKeyTarget): Promise<TargetKey[]> {
    return (await this.#ask([HostKey, 'accepted', { query: { asset, address } }], acceptedHostKeysSchema))
      .keys
  }

  /**
   * Tells what a target showed and answers whether it is to be trusted: the first key of an address is accepted, any other one waits for an
   * administrator.
   */
  async reportHostKey(seen: SeenHostKey): Promise<HostKeyVerdict> {
    return this.#ask([HostKey, 'seen', { body: seen }], hostKeyVerdictSchema)
  }

  /** The private keys all gateways show: those offered when no gateway offered any before. */
  async ownHostKeys(offered: string[]): Promise<string[]> {
    return (await this.#ask([HostKey, 'own', { body: { keys: offered } }], ownHostKeysSchema)).keys
  }

  /** Asks for a session of a person, which is on the books then; asked again it answers the same one. */
  async beginSession(wanted: SessionWanted, language: Language): Promise<BegunSession> {
    return this.#ask([Session, 'begin', { body: wanted }], begunSessionSchema, {
      retry: true,
      headers: { 'accept-language': language },
    })
  }

  async createSession(session: NewSession): Promise<void> {
    await this.#tell(Session, 'open', { body: session })
  }

  async endSession(id: string, end: SessionEnd): Promise<void> {
    await this.#tell(Session, 'change', { id, body: { is_finished: true, ...end } })
  }

  async addCommands(records: CommandRecord[]): Promise<void> {
    await this.#tell(Command, 'add', { body: records })
  }

  /**
   * `whole` with the last chunk: what the recording is by then. Answers whether it is complete there, so that nothing is left to say; older
   * servers never say so.
   */
  async putChunk(
    { sessionId, number }: RecordingName,
    chunk: ChunkUpload,
    whole: FinishedRecording | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const call = {
      method: 'PUT' as const,
      path: `${detailUrl(Session, sessionId)}${chunkPath(number, chunk.number)}`,
      bytes: chunk.bytes,
      headers: {
        'content-type': 'application/octet-stream',
        [chunkHeaders.sha256]: createHash('sha256').update(chunk.bytes).digest('hex'),
        [chunkHeaders.startMs]: String(chunk.start_ms),
        [chunkHeaders.endMs]: String(chunk.end_ms),
        ...(chunk.is_keyframe ? { [chunkHeaders.keyframe]: '1' } : {}),
        ...(whole && {
          [chunkHeaders.recordingChunks]: String(whole.chunks),
          [chunkHeaders.recordingMs]: String(whole.duration_ms),
        }),
      },
      signal,
    }
    return (await this.transport.call(call, storedChunkSchema)).is_complete
  }

  /** The numbers of the chunks the server lacks; empty when the recording is complete there. */
  async finishRecording(
    { sessionId: id, number }: RecordingName,
    body: FinishedRecording,
    signal: AbortSignal,
  ): Promise<number[]> {
    try {
      // Older servers know of the first one only, and how it is called.
      if (number === 1) await this.#tell(Session, 'finishRecording', { id, body }, { signal })
      else await this.#tell(Session, 'finishNumbered', { id, recording: String(number), body }, { signal })
      return []
    } catch (error) {
      if (!(error instanceof ServerRefusedError) || error.status !== 409) throw error
      const parsed = missingChunksSchema.safeParse(error.body)
      if (!parsed.success) throw error
      return parsed.data.missing
    }
  }

  /** Tells of commands that filters are about. */
  async alertOfCommands(alerts: CommandAlert[]): Promise<void> {
    await this.#tell(Command, 'alert', { body: alerts })
  }

  /** Puts a command of a session to the reviewers of a filter. */
  async askForCommand(asked: CommandAsked): Promise<Review> {
    return this.#ask([CommandReview, 'ask', { body: asked }], reviewSchema, {})
  }

  /** Puts a connection to the reviewers of the login rule about it; undefined: none of them has to be asked. */
  async askForLogin(asked: AssetLoginAsked, language: Language): Promise<Review | undefined> {
    return this.#ask([LoginAssetCheck, 'check', { body: asked }], assetLoginReviewSchema, {
      headers: { 'accept-language': language },
    })
  }

  /** What became of a request for a review. */
  async reviewStatus(ticket: string): Promise<ReviewStatus> {
    return this.#ask([SuperTicket, 'status', { id: ticket }], reviewStatusSchema)
  }

  async closeReview(ticket: string): Promise<void> {
    await this.#tell(SuperTicket, 'close', { id: ticket }, { retry: true })
  }

  async finishTask(id: string): Promise<void> {
    const path = detailUrl(TerminalTask, id)
    await this.transport.answer({ method: 'PATCH', path, body: { is_finished: true }, retry: true })
  }
  /** Takes targets to be tried; asked again it answers the same. */
  async claimProbes(id: string, signal: AbortSignal): Promise<ClaimedBatch> {
    return this.#ask([ProbeBatches, 'claim', { id }], claimedBatchSchema, { retry: true, signal })
  }

  /** Tells what came of them; what is told twice counts once. */
  async reportProbes(id: string, results: ProbeResult[], isFinished: boolean): Promise<void> {
    await this.#tell(
      ProbeBatches,
      'report',
      { id, body: { results, is_finished: isFinished } },
      { retry: true },
    )
  }
}
