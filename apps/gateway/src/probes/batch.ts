import { setTimeout as sleep } from 'node:timers/promises'
import { type ProbeResult, reportEveryMs } from '@sallyport/contract/gateway/probes'
import type { ApiClient } from '../api/client.ts'
import { isFinal } from '../api/errors.ts'
import type { Zones } from '../targets/zones/zones.ts'
import { Places } from './places.ts'
import { probe } from './probe.ts'

/** Connections this program has open at once, of all batches together, which take them in turn; and of one batch. */
const atOnceMax = 60
const atOnceOfOne = 20
/** News is told that soon. */
const newsMs = 250

const places = new Places<string>(atOnceMax, atOnceOfOne)

/**
 * Tries the targets of a batch and tells the server as it goes; ends early where the server does not want to know any more. Answers what else was
 * wrong with the server meanwhile, for the log.
 */
export async function carryOut(api: ApiClient, id: string, ways: Zones): Promise<Error | undefined> {
  const abort = new AbortController()
  const { signal } = abort
  const { facts, targets, zones } = await api.claimProbes(id, signal)
  const news: ProbeResult[] = []
  let isDone = false
  let trouble: Error | undefined
  const onTrouble = (error: Error) => (trouble = error)
  const tryAll = async () => {
    await Promise.all(
      targets.map((target) =>
        places.with(id, async () => {
          if (!signal.aborted) news.push(await probe(target, { api, onTrouble, facts, ways, zones, signal }))
        }),
      ),
    )
    isDone = true
  }
  const tried = tryAll()
  try {
    let toldAt = performance.now()
    for (;;) {
      const isEnd = isDone
      if (isEnd || news.length > 0 || performance.now() - toldAt >= reportEveryMs) {
        toldAt = performance.now()
        await api.reportProbes(id, news.splice(0), isEnd)
      }
      if (isEnd) return trouble
      await Promise.race([tried, sleep(newsMs)])
    }
  } catch (error) {
    if (!isFinal(error)) throw error
    return trouble
  } finally {
    abort.abort()
  }
}
