import { taskLogSocketPath } from '@sallyport/contract/addresses'

/** How the log of a task is followed. */
interface Follower {
  /** A piece of the log, from its beginning. */
  onText?: (text: string) => void
  /** The whole log was told. */
  onEnd?: () => void
  /** The connection was lost, or refused; nothing more comes. */
  onLost?: () => void
}

const normalClosure = 1000

interface Told {
  event?: unknown
  message?: unknown
}

function parsed(data: unknown): Told {
  try {
    return JSON.parse(String(data)) as Told
  } catch {
    return {}
  }
}

/** Follows the log of a task as it is written, on a socket of its own. @returns what ends that */
export function followTask(id: string, type: string, { onText, onEnd, onLost }: Follower): () => void {
  const { protocol, host } = location
  const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${taskLogSocketPath}`)
  let isStopped = false
  const stop = () => {
    isStopped = true
    socket.close(normalClosure)
  }
  socket.addEventListener('open', () => socket.send(JSON.stringify({ task: id, type })))
  socket.addEventListener('message', ({ data }) => {
    const { event, message } = parsed(data)
    if (typeof message === 'string') onText?.(message)
    if (event === 'end') {
      stop()
      onEnd?.()
    }
  })
  socket.addEventListener('close', ({ wasClean, code }) => {
    if (!isStopped && (!wasClean || code !== normalClosure)) onLost?.()
  })
  return stop
}
