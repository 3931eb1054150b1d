/** New assets are tried by themselves. They are gathered for a moment: those of a file come one by one, and make one execution. */
import { Cloud, Database, Device, Gateway, Host, modelOf, Web } from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import type { DomainEvent } from '../../kernel/events.ts'
import type { Logger } from '../../kernel/log.ts'

/** They are waited for until nobody makes any for so long, */
const quietMs = 2000
/** and no longer than this, */
const longestMs = 30_000
/** or until there are so many. */
const mostAssets = 1000

interface Waiting {
  /** Of who made the first of them. */
  ctx: Context
  ids: string[]
  sinceMs: number
  timer: NodeJS.Timeout | undefined
}

const lists = new Set([Host, Device, Database, Web, Cloud, Gateway].map((list) => modelOf(list)))

export class NewAssets {
  readonly #start: (ctx: Context, ids: readonly string[]) => Promise<unknown>
  readonly #log: Logger
  /** By organization and person. */
  readonly #waiting = new Map<string, Waiting>()

  constructor(start: (ctx: Context, ids: readonly string[]) => Promise<unknown>, log: Logger) {
    this.#start = start
    this.#log = log
  }

  /** Of committed changes, on the pool. */
  async take(ctx: Context, event: DomainEvent): Promise<void> {
    if (event.type !== 'created' || ctx.identity === undefined || !lists.has(modelOf(event.resource))) return
    if (!isTried(event.after)) return
    const key = `${ctx.org.id} ${ctx.identity.id}`
    const nowMs = performance.now()
    const waiting: Waiting = this.#waiting.get(key) ?? { ctx, ids: [], sinceMs: nowMs, timer: undefined }
    this.#waiting.set(key, waiting)
    waiting.ids.push(event.id)
    clearTimeout(waiting.timer)
    if (waiting.ids.length >= mostAssets) return await this.#begin(key)
    const leftMs = Math.max(0, Math.min(quietMs, waiting.sinceMs + longestMs - nowMs))
    waiting.timer = setTimeout(() => void this.#begin(key), leftMs)
    waiting.timer.unref()
  }

  /** Nothing waits any more. */
  async stop(): Promise<void> {
    for (const key of this.#waiting.keys()) await this.#begin(key)
  }

  async #begin(key: string): Promise<void> {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined) return
    this.#waiting.delete(key)
    clearTimeout(waiting.timer)
    try {
      await this.#start(waiting.ctx, waiting.ids)
    } catch (error) {
      this.#log.error({ err: error }, 'new assets could not be tested')
    }
  }
}

/** Whether its platform wants that. */
function isTried(asset: Readonly<Record<string, unknown>> | undefined): boolean {
  const info = asset?.['auto_info'] as Readonly<Record<string, boolean>> | undefined
  return asset?.['is_active'] === true && info?.['ansible_enabled'] === true && info['ping_enabled'] === true
}
