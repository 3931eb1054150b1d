import type { Hold } from '../session/gate.ts'
import type { Client } from './ports.ts'

/** What holds a person up before anything flows: they are told and asked on what they came with. The signal: nothing is held any more. */
export function holdOnClient(client: Client, signal: AbortSignal): Hold {
  const canAsk = client.terminal !== undefined
  const next = async (until: AbortSignal = signal) => (canAsk ? await nextChunk(client, until) : undefined)
  const tell = (sentence: string) => client.notice(sentence)
  return {
    signal,
    isPast: false,
    tell,
    show: (text) => {
      if (canAsk && client.stdout.writable) client.stdout.write(Buffer.from(text))
    },
    canAsk,
    next,
    ask: async (question) => {
      tell(question)
      return (await next())?.toString('utf8')
    },
  }
}

/** Nobody else reads it now; undefined when nothing more comes, or the signal aborts. */
function nextChunk({ stdin }: Client, signal: AbortSignal): Promise<Buffer | undefined> {
  if (stdin.readableEnded || stdin.destroyed || signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const done = (chunk?: Buffer) => {
      stdin.off('data', done)
      stdin.off('end', end)
      stdin.off('close', end)
      signal.removeEventListener('abort', end)
      stdin.pause()
      resolve(chunk && Buffer.from(chunk))
    }
    const end = () => done()
    stdin.on('data', done)
    stdin.on('end', end)
    stdin.on('close', end)
    signal.addEventListener('abort', end, { once: true })
    stdin.resume()
  })
}
