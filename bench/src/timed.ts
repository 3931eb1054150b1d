import { loadavg } from 'node:os'
import type { Api } from '../../e2e/src/api.ts'
import { percentile, round } from './figure.ts'

export interface Answered {
  ms: number
  /** As they came over the wire. */
  bytes: number
  body: unknown
}

/** One request, until its answer is read. @throws Error when it is refused */
export async function timed(api: Api, method: string, path: string, sent?: unknown): Promise<Answered> {
  const from = performance.now()
  const answer = await fetch(`${api.origin}/api/v1/${path}`, {
    method,
    headers: {
      ...api.headers,
      'accept-encoding': 'gzip',
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  })
  const text = await answer.text()
  const ms = performance.now() - from
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
  const bytes = Number(answer.headers.get('content-length') ?? text.length)
  return { ms, bytes, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}

/** The slow end of several goes, after one that warms up. */
export async function p95(work: () => Promise<{ ms: number }>, rounds = 20): Promise<number> {
  await work()
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push((await work()).ms)
  return percentile(times, 0.95)
}

/** What else the machine did, to judge a time by. */
export const load = () => `load ${round(loadavg()[0] ?? 0)}`
