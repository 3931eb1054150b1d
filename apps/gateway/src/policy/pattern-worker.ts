/** Compiles patterns and searches for them, in time linear in the text: RE2 has no backtracking. */
import { parentPort } from 'node:worker_threads'
import { RE2JS } from 're2js'
import { standBack } from '../priority.ts'
import type { Pattern, PatternAnswer, PatternOrder } from './pattern-messages.ts'

standBack()
if (!parentPort) throw new Error('not a worker')
const port = parentPort
/** Instructions times characters: some hundred milliseconds. */
const placedMax = 20_000_000
/** A turn ends behind the text at which so much time has passed. */
const turnMs = 20
const known = new Map<number, Pattern>()
const asked = new Map<number, { ids: number[]; texts: readonly string[] }>()
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

function find({ question, from }: Extract<PatternOrder, { kind: 'find' }>): PatternAnswer {
  const begun = performance.now()
  const { ids, texts } = asked.get(question) ?? { ids: [], texts: [] }
  for (let { index, text } = from; index < ids.length; index++, text = 0) {
    const id = ids[index] ?? 0
    if (!compiled.has(id)) {
      const pattern = known.get(id)
      compiled.set(id, pattern && compile(pattern))
      return { next: { index, text } }
    }
    const pattern = compiled.get(id)
    if (!pattern) return { found: { index, text: undefined } }
    for (; text < texts.length; text++) {
      if (performance.now() - begun > turnMs) return { next: { index, text } }
      const searched = texts[text] ?? ''
      if (pattern.test(searched)) return { found: { index, text: whatMatches(pattern, searched) } }
    }
  }
  return { found: undefined }
}

port.on('message', (order: PatternOrder) => {
  if (order.kind === 'learn') for (const [id, pattern] of order.patterns) known.set(id, pattern)
  else if (order.kind === 'ask') asked.set(order.question, order)
  else if (order.kind === 'give_up') asked.delete(order.question)
  else if (order.kind === 'find') {
    const answer = find(order)
    if ('found' in answer) asked.delete(order.question)
    port.postMessage(answer)
  } else
    for (const id of order.ids) {
      known.delete(id)
      compiled.delete(id)
    }
})
