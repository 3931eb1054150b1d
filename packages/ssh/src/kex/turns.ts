/** Of the threads that everybody in the process shares: whoever has not yet logged in must not take them all. */
const maxAtOnce = 2

let running = 0
const waiting: (() => void)[] = []

/** Runs work that takes a thread when it is its turn. */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= maxAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  else running++
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}
