/** What is long takes the process while it is read. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { networkOf } from '@sallyport/ssh/arrival/address'
import { createTurns } from '../turns.ts'

/** Less than this is read in a moment, whatever it holds. */
const longBytes = 4 << 10
/** So many times as long as somebody's took nothing of theirs is read. */
const restTimes = 3
const restMaxMs = 2000

const turns = createTurns({ atOnce: 4, atOnceOfOne: 1, waiting: 2000, waitingOfOne: 200, waitMs: 20_000 })

/**
 * Reads a body of so many bytes. The long ones of one caller (of strangers, of one address) are read one after the other, and others have
 * most of the time.
 * @throws ApiError 429 and 503 as turns do
 */
export async function readInTurn<T>(
  request: FastifyRequest,
  bytes: number,
  read: () => T | Promise<T>,
): Promise<T> {
  if (bytes < longBytes) return await read()
  return await new Promise<T>((resolve, reject) => {
    const readAndRest = async () => {
      const begun = performance.now()
      try {
        resolve(await read())
      } catch (error) {
        reject(error)
      }
      await sleep(Math.min(restMaxMs, restTimes * (performance.now() - begun)))
    }
    turns(request.context?.identity?.id ?? networkOf(request.ip), readAndRest).catch(reject)
  })
}
