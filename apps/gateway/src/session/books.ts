import { randomUUID } from 'node:crypto'
import { endDetailMax, type CommandRecord, type NewSession } from '@sallyport/contract/gateway/books'
import type { TokenSecret } from '@sallyport/contract/gateway/grants'
import type { ApiClient, SessionEnd } from '../api/client.ts'
import { ServerAwayError } from '../api/errors.ts'

const inputMax = 2048

export interface BooksServices {
  api: Pick<ApiClient, 'createSession'>
  /** Puts the end on the disk queue. */
  reportEnd: (id: string, end: SessionEnd) => Promise<void>
  /** Puts a command on the disk queue. */
  reportCommand: (record: CommandRecord) => Promise<void>
}

/** A command as its traffic found it. */
export interface FoundCommand {
  input: string
  output: string
  /** ms since the epoch */
  time: number
}

/** One session on the server's books: its beginning at once, its commands and its end by way of the disk. */
export class Books {
  readonly facts: NewSession
  /** Called when a command could not be kept. */
  onFailure: ((error: unknown) => void) | undefined
  readonly #services: BooksServices
  readonly #reports = new Set<Promise<void>>()
  #commands = 0
  #isOpen = false

  constructor(services: BooksServices, facts: NewSession) {
    this.#services = services
    this.facts = facts
  }

  /** The server has it, and not its end. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  async open(): Promise<void> {
    try {
      await this.#services.api.createSession(this.facts)
      this.#isOpen = true
    } catch (error) {
      // without an answer the server may have it all the same: then it must not stay open there
      if (error instanceof ServerAwayError) {
        await this.#services.reportEnd(this.facts.id, {
          is_success: false,
          end_reason: 'internal_error',
          end_detail: 'the server did not answer',
          date_end: new Date().toISOString(),
        })
      }
      throw error
    }
  }

  addCommand({ input, output, time }: FoundCommand): void {
    const { id, user, asset, account, org_id } = this.facts
    const report = this.#services
      .reportCommand({
        id: randomUUID(),
        session: id,
        user,
        asset,
        account,
        input: input.slice(0, inputMax),
        output,
        risk_level: 0,
        org_id,
        timestamp: Math.floor(time / 1000),
        millisecond: time % 1000,
        sequence: ++this.#commands,
      })
      .catch((error: unknown) => this.onFailure?.(error))
    this.#reports.add(report)
    void report.then(() => this.#reports.delete(report))
  }

  /** Resolves when all commands so far are kept, or have failed. */
  async settled(): Promise<void> {
    await Promise.all(this.#reports)
  }

  async close(end: SessionEnd): Promise<void> {
    this.#isOpen = false
    await this.#services.reportEnd(this.facts.id, {
      ...end,
      end_detail: end.end_detail.slice(0, endDetailMax),
    })
  }
}

/** The facts of a session that was granted. */
export function describeSession(
  grant: TokenSecret,
  session: Pick<NewSession, 'id' | 'type' | 'login_from' | 'remote_addr' | 'date_start'>,
): NewSession {
  const { user, asset, account } = grant
  return {
    ...session,
    user: `${user.name}(${user.username})`.slice(0, 128),
    user_id: user.id,
    asset: `${asset.name}(${asset.address})`.slice(0, 128),
    asset_id: asset.id,
    account: `${account.name}(${account.username})`.slice(0, 128),
    account_id: account.id || account.name,
    protocol: grant.protocol,
    org_id: grant.org_id || asset.org_id,
  }
}
