import { randomUUID } from 'node:crypto'
import { endDetailMax, type CommandRecord, type NewSession } from '@sallyport/contract/gateway/books'
import { commandInputMax, shortened } from '@sallyport/contract/gateway/commands'
import type { ApiClient, SessionEnd } from '../api/client.ts'
import { ServerAwayError } from '../api/errors.ts'
import type { RiskLevel } from './gate.ts'

export interface BooksServices {
  api: Pick<ApiClient, 'createSession'>
  /** Puts the end on the disk queue. */
  reportEnd: (id: string, end: SessionEnd) => Promise<void>
  /** Puts a command on the disk queue. */
  reportCommand: (record: CommandRecord) => Promise<void>
}

/** Awaits what puts a session on the books. Without an answer the server may have it all the same: then it must not stay open there. */
export async function orEnded<T>(
  asked: Promise<T>,
  id: string,
  reportEnd: BooksServices['reportEnd'],
): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ServerAwayError)
      await reportEnd(id, {
        is_success: false,
        end_reason: 'internal_error',
        end_detail: 'the server did not answer',
        date_end: new Date().toISOString(),
      })
    throw error
  }
}

/** A command as its traffic found it. */
export interface FoundCommand {
  input: string
  output: string
  /** ms since the epoch */
  time: number
  /** 0 where it is absent. */
  risk_level?: RiskLevel
}

/** One session on the server's books: its beginning at once, its commands and its end by way of the disk. */
export class Books {
  readonly facts: NewSession
  /** Called when a command could not be kept. */
  onFailure: ((error: unknown) => void) | undefined
  readonly #services: BooksServices
  readonly #reports = new Set<Promise<void>>()
  #commands = 0
  #isOpen: boolean

  /** @param isOpen whether the server has it already */
  constructor(services: BooksServices, facts: NewSession, isOpen: boolean) {
    this.#services = services
    this.facts = facts
    this.#isOpen = isOpen
  }

  /** The server has it, and not its end. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** @param ticket the approval it came of, which is used up by it */
  async open(ticket: string | undefined): Promise<void> {
    const { api, reportEnd } = this.#services
    await orEnded(api.createSession({ ...this.facts, ticket }), this.facts.id, reportEnd)
    this.#isOpen = true
  }

  addCommand({ input, output, time, risk_level = 0 }: FoundCommand): void {
    const { id, user, asset, account, org_id } = this.facts
    const report = this.#services
      .reportCommand({
        id: randomUUID(),
        session: id,
        user,
        asset,
        account,
        input: shortened(input, commandInputMax),
        output,
        risk_level,
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
