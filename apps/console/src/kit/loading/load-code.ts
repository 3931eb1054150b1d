const answerLimitMs = 5000

/** Code of the console that could not be fetched: no answer came, or the server has another version of it by now. */
export class LoadFailed extends Error {
  readonly reason: 'unreachable' | 'upgraded'

  constructor(reason: LoadFailed['reason'], cause: unknown) {
    super(`Code could not be loaded: ${reason}`, { cause })
    this.name = 'LoadFailed'
    this.reason = reason
  }
}

/** Fetches code by its `import()`. Throws LoadFailed; asked again, it is fetched again. */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new LoadFailed((await isReachable()) ? 'upgraded' : 'unreachable', cause)
  }
}

/** Whether the server delivers the console at this moment, so that loading the page again does not lose it. */
export async function isReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerLimitMs)
    return (await fetch(import.meta.env.BASE_URL, { cache: 'no-store', signal })).ok
  } catch {
    return false
  }
}
