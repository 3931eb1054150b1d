const end = Symbol('end')

/**
 * What is handed over piece by piece, as something that can be read on when one likes. The next piece is made while one is read, no further
 * one before. Whoever reads no further makes the handing over fail, so that it ends.
 */
export async function* pulled<T>(
  hand: (take: (piece: T) => Promise<void>) => Promise<void>,
): AsyncGenerator<T> {
  let next = Promise.withResolvers<T | typeof end>()
  let taken = Promise.withResolvers<void>()
  const handing = hand((piece) => {
    next.resolve(piece)
    return taken.promise
  }).then(
    () => next.resolve(end),
    (error: unknown) => next.reject(error as Error),
  )
  try {
    for (;;) {
      const piece = await next.promise
      if (piece === end) return
      next = Promise.withResolvers()
      const before = taken
      taken = Promise.withResolvers()
      before.resolve()
      yield piece
    }
  } finally {
    for (const { promise } of [next, taken]) promise.catch(() => {})
    taken.reject(new Error('nobody reads on'))
    await handing
  }
}
