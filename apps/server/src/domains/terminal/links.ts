/** Standing links of components: `/ws/terminal-task/`. They report over them, and hear at once what to do. */
import { bodySchema, statusReport } from '@sallyport/contract'
import { countValues } from '@sallyport/contract/json-values'
import { statusMessageSchema, type StatusReport, taskSocketPath } from '@sallyport/contract/gateway/reports'
import { and, eq } from 'drizzle-orm'
import type { WebSocket } from 'ws'
import type { Context } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import { ApiError } from '../../kernel/errors.ts'
import { Latest } from '../../kernel/http/latest.ts'
import type { SocketRoute } from '../../kernel/http/sockets.ts'
import { callingTerminal } from './components.ts'
import { onItsOwn, Reporter } from './reports.ts'
import type { TerminalServices } from './services.ts'
import { terminalTasks } from './tables.ts'
import { openTasks, type Task, taskChannel, taskEventSchema, taskMessage } from './tasks.ts'

/** Nothing for so long, not even a ping: the link is dead. Components of the compatible system report every 30 s. */
const silenceMaxMs = 120_000
const checkEveryMs = 15_000

const reportSchema = bodySchema(statusReport)
/** With the ids of more sessions than a gateway holds. */
const reportMaxValues = 20_000

export class Links {
  readonly #services: Pick<TerminalServices, 'database' | 'live' | 'log'>
  /** By terminal; the links this process holds. */
  readonly #links = new Map<string, Set<WebSocket>>()
  /** By terminal; as many as there are components. */
  readonly #reporters = new Map<string, Reporter>()

  constructor(services: Pick<TerminalServices, 'database' | 'live' | 'log'>) {
    this.#services = services
  }

  readonly route: SocketRoute = {
    path: taskSocketPath,
    access: 'component',
    open: (ctx, socket) => this.#open(ctx, socket),
  }

  reporterOf(terminalId: string): Reporter {
    const known = this.#reporters.get(terminalId) ?? new Reporter({ id: terminalId }, this.#services)
    this.#reporters.set(terminalId, known)
    return known
  }

  /** Begins to pass on orders, given on whatever node. Answers how to end it. */
  start(): () => void {
    const { live } = this.#services
    const ends = [
      live.subscribe(taskChannel, (payload) => {
        const event = taskEventSchema.safeParse(payload)
        if (event.success && this.#links.has(event.data.terminal))
          this.#quietly(this.#deliver(event.data.terminal, event.data.task))
      }),
      // Orders may have been missed: what is still open is sent again, which changes nothing for those that heard it.
      live.onGap(() => {
        for (const terminal of this.#links.keys()) this.#quietly(this.#deliverOpen(terminal))
      }),
    ]
    return () => {
      for (const end of ends) end()
      for (const sockets of this.#links.values()) for (const socket of sockets) socket.close(1001)
    }
  }

  #quietly(work: Promise<void>): void {
    work.catch((error: unknown) => this.#services.log.error({ err: error }, 'a task could not be delivered'))
  }

  async #deliver(terminal: string, id: string): Promise<void> {
    const [task] = await this.#services.database.db
      .select()
      .from(terminalTasks)
      .where(and(eq(terminalTasks.id, id), eq(terminalTasks.is_finished, false)))
    if (task) for (const socket of this.#links.get(terminal) ?? []) send(socket, [task])
  }

  async #deliverOpen(terminal: string): Promise<void> {
    const tasks = await openTasks(this.#services.database.db, terminal)
    if (tasks.length > 0) for (const socket of this.#links.get(terminal) ?? []) send(socket, tasks)
  }

  #open(ctx: Context, socket: WebSocket): void {
    let lastSign = performance.now()
    let refused: string | undefined
    const known = Promise.withResolvers<Reporter>()
    const reports = new Latest<StatusReport>(
      async (report) => {
        const reporter = await known.promise
        const { http } = report
        if (http !== undefined && http !== refused && onItsOwn(http, ctx.remoteAddr) === null) {
          refused = http
          const facts = { terminal: reporter.terminalId, http, remote_addr: ctx.remoteAddr }
          this.#services.log.warn(facts, 'a component is not called where it does not call from')
        }
        const isKnown = await withTransaction(this.#services.database.db, (tx) =>
          reporter.take(tx, report, ctx.remoteAddr),
        )
        if (!isKnown) return socket.close(1008)
        // Where live events are not heard, an order comes with the answer to the next report; where they are, none comes twice.
        if (!this.#services.live.isHearing()) await this.#deliverOpen(reporter.terminalId)
      },
      (error) => this.#services.log.error({ err: error }, 'the report of a component could not be taken'),
    )
    socket.on('ping', () => (lastSign = performance.now()))
    socket.on('message', (data) => {
      lastSign = performance.now()
      const text = textOf(data)
      if (countValues()(Buffer.from(text)) > reportMaxValues) return socket.close(1009)
      const message = statusMessageSchema.safeParse(parseJson(text))
      const report = message.success ? reportSchema.safeParse(message.data.payload) : undefined
      if (report?.data?.sessions !== undefined) reports.ask(report.data)
    })
    const timer = setInterval(() => {
      if (performance.now() - lastSign > silenceMaxMs) socket.terminate()
    }, checkEveryMs)
    socket.once('close', () => {
      clearInterval(timer)
      reports.end()
    })
    const begin = async () => {
      const { id } = await callingTerminal(ctx)
      const sockets = this.#links.get(id) ?? new Set()
      this.#links.set(id, sockets.add(socket))
      const leave = () => {
        sockets.delete(socket)
        if (sockets.size === 0 && this.#links.get(id) === sockets) this.#links.delete(id)
      }
      if (socket.readyState !== socket.OPEN) return leave()
      socket.once('close', leave)
      known.resolve(this.reporterOf(id))
      // Read after the link is known here, so that no order falls between.
      send(socket, await openTasks(this.#services.database.db, id))
    }
    begin().catch((error: unknown) => {
      if (!(error instanceof ApiError)) this.#services.log.error({ err: error }, 'a link could not be opened')
      socket.close(error instanceof ApiError ? 1008 : 1011)
    })
  }
}

function send(socket: WebSocket, tasks: readonly Task[]): void {
  if (socket.readyState === socket.OPEN)
    socket.send(Buffer.from(JSON.stringify(tasks.map((task) => taskMessage(task)))))
}

function textOf(data: Buffer | ArrayBuffer | Buffer[]): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return (Buffer.isBuffer(data) ? data : Buffer.from(data)).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
