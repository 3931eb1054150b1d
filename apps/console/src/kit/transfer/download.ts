import { api, type Query } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'

/** A download of which nothing more comes for so long is given up. */
const silenceMs = 60_000

interface DownloadOptions {
  query: Query
  signal: AbortSignal
  /** Told again and again how many bytes are here. */
  onProgress?: (bytes: number) => void
}

/** Fetches a file and hands it to the browser to keep. It may take as long as it comes. Rejects with ApiError. */
export async function download(path: string, { query, signal, onProgress }: DownloadOptions): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), silenceMs)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), silenceMs)
  }
  try {
    const all = AbortSignal.any([signal, silence.signal])
    const response = await api.raw(path, { query, signal: all, timeoutMs: Infinity })
    const pieces: Uint8Array<ArrayBuffer>[] = []
    let bytes = 0
    for await (const piece of response.body ?? []) {
      heard()
      bytes += piece.length
      pieces.push(piece)
      onProgress?.(bytes)
    }
    keep(new Blob(pieces, { type: response.headers.get('content-type') ?? '' }), nameOf(response))
  } catch (error) {
    if (signal.aborted || error instanceof ApiError) throw error
    throw new ApiError(0, silence.signal.aborted ? 'timeout' : 'network_error', undefined, error)
  } finally {
    clearTimeout(timer)
  }
}

const nameOf = ({ headers }: Response) =>
  /filename="([^"]+)"/u.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'download'

function keep(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
