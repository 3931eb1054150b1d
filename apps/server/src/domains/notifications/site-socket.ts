/** `/ws/notifications/site-msg/`: how many messages somebody has not read, at the beginning and whenever there is a new one. */
import { siteMessagesSocketPath } from '@sallyport/contract/addresses'
import type { UnreadCount } from '@sallyport/contract'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { callerOf } from '../../kernel/context.ts'
import type { Ground } from '../../kernel/ground.ts'
import type { SocketRoute } from '../../kernel/http/sockets.ts'
import { newMessageChannel, unreadOf } from './site-messages.ts'

const news = z.object({ users: z.array(z.string()).optional() })
/** Of one person on this server; a browser opens one for each of its tabs. */
const mostSockets = 50
/** Who takes nothing of this little is not there any more. */
const mostUnsentBytes = 65_536

export class SiteSockets {
  readonly #ground: Pick<Ground, 'database' | 'live' | 'log'>
  readonly #open = new Map<string, Set<WebSocket>>()
  #telling: Promise<void> = Promise.resolve()
  #waiting = new Set<string>()

  constructor(ground: Pick<Ground, 'database' | 'live' | 'log'>) {
    this.#ground = ground
  }

  readonly route: SocketRoute = {
    path: siteMessagesSocketPath,
    access: 'valid_user',
    open: (ctx, socket) => {
      const { id } = callerOf(ctx)
      const own = this.#open.get(id) ?? new Set()
      if (own.size >= mostSockets) return socket.close(1013)
      this.#open.set(id, own.add(socket))
      socket.on('close', () => {
        own.delete(socket)
        if (own.size === 0 && this.#open.get(id) === own) this.#open.delete(id)
      })
      // What clients may say (how often they would like to hear) changes nothing: they hear at once.
      this.#tell([id])
    },
  }

  start(): () => void {
    const { live } = this.#ground
    const ends = [
      live.subscribe(newMessageChannel, (payload) => {
        const { users = [...this.#open.keys()] } = news.safeParse(payload).data ?? {}
        this.#tell(users)
      }),
      live.onGap(() => this.#tell([...this.#open.keys()])),
    ]
    return () => {
      for (const end of ends) end()
    }
  }

  /** One question of the database at a time, for all who wait then. */
  #tell(users: readonly string[]): void {
    const isIdle = this.#waiting.size === 0
    for (const user of users) if (this.#open.has(user)) this.#waiting.add(user)
    if (!isIdle || this.#waiting.size === 0) return
    this.#telling = this.#telling.then(() => this.#tellWaiting())
  }

  async #tellWaiting(): Promise<void> {
    const users = [...this.#waiting]
    this.#waiting = new Set()
    try {
      const counts = await unreadOf(this.#ground.database.db, users)
      for (const user of users) {
        const message: UnreadCount = { type: 'unread_count', unread_count: counts.get(user) ?? 0 }
        for (const socket of this.#open.get(user) ?? []) {
          if (socket.bufferedAmount > mostUnsentBytes) socket.terminate()
          else socket.send(JSON.stringify(message))
        }
      }
    } catch (error) {
      this.#ground.log.error({ err: error }, 'people could not be told how many messages they have')
    }
  }
}
