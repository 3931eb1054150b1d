/** Compiles patterns and searches for them, in time linear in the text: RE2 has no backtracking. */
import { parentPort } from 'node:worker_threads'
import { RE2JS } from 're2js'
import { standBack } from '../priority.ts'
import type { Found, Pattern, PatternAnswer, PatternOrder } from './pattern-messages.ts'

standBack()
if (!parentPort) throw new Error('not a worker')
const port = parentPort
/** Instructions times characters: some hundred milliseconds. */
const placedMax = 20_000_000
/** Undefined: one that does not compile. */
const compiled = new Map<number, RE2JS | undefined>()

function compile({ source, ignore_case }: Pattern): RE2JS | undefined {
  try {
    return RE2JS.compile(source, ignore_case ? RE2JS.CASE_INSENSITIVE : 0)
  } catch {
    return undefined
  }
}

/** Where in the text takes a slower engine than whether: of large patterns and long texts it is not asked, and all of the text is named. */
function whatMatches(pattern: RE2JS, text: string): string {
  if (pattern.programSize() * text.length > placedMax) return text
  const matcher = pattern.matcher(text)
  return matcher.find() ? (matcher.group() ?? '') : text
}

function find({ ids, from, texts }: Extract<PatternOrder, { kind: 'find' }>): Found | undefined {
  for (const [index, id] of ids.entries()) {
    if (index < from) continue
    const pattern = compiled.get(id)
    if (!pattern) return { index, text: undefined }
    const text = texts.find((text) => pattern.test(text))
    if (text === undefined) continue
    return { index, text: whatMatches(pattern, text) }
  }
  return undefined
}

port.on('message', (order: PatternOrder) => {
  if (order.kind === 'learn') for (const [id, pattern] of order.patterns) compiled.set(id, compile(pattern))
  else if (order.kind === 'forget') for (const id of order.ids) compiled.delete(id)
  else port.postMessage({ found: find(order) } satisfies PatternAnswer)
})
