/** Whether the engine of the gateways takes a regular expression; called in a thread of its own. */
import type { Problem } from '@sallyport/contract'
import { RE2JS, RE2JSSyntaxException } from 're2js'

/**
 * Instructions of a compiled expression. For each character of a line its engine looks at so many at most, which bounds the time whatever the
 * line: with a thousand, four thousand characters take half a second at worst (measured), and gateways judge for everybody. Lists of commands
 * are groups of their own kind.
 */
const programMax = 1000

/** What is wrong with it, undefined where nothing is. Positions count from 1. */
export function check(regex: string): Problem | undefined {
  const error = errorOf(regex)
  if (error !== undefined) return problemOf(regex, error)
  return RE2JS.compile(regex).programSize() > programMax ? { key: 'regex_too_large' } : undefined
}

function errorOf(regex: string): RE2JSSyntaxException | undefined {
  try {
    RE2JS.compile(regex)
    return undefined
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return error
    throw error
  }
}

function problemOf(regex: string, { error, input }: RE2JSSyntaxException): Problem {
  if (/too large|nests too deeply/.test(error)) return { key: 'regex_too_large' }
  const unsupported = unsupportedIn(regex)
  const { at, what } = unsupported ?? placeOf(regex, error, input ?? '')
  const params = { at: at + 1, what: what.slice(0, shownMax) }
  if (unsupported) return { key: 'regex_unsupported', params }
  return { key: /missing closing/.test(error) ? 'regex_unclosed' : 'regex_invalid', params }
}
const shownMax = 40

interface Place {
  at: number
  what: string
}

function placeOf(regex: string, error: string, input: string): Place {
  if (/missing closing \)/.test(error)) {
    const at = unclosed(regex)
    return { at, what: regex.slice(at) }
  }
  if (/missing closing \]|trailing backslash/.test(error)) {
    const what = input || '\\'
    return { at: regex.length - what.length, what }
  }
  // It is read from left to right: the error is where the shortest beginning ends that has it.
  const isWhole = input === regex
  const has = (end: number) => {
    const found = errorOf(regex.slice(0, end))
    return found?.error === error && (isWhole || found.input === input)
  }
  let [low, high] = [0, regex.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (has(middle)) high = middle
    else low = middle + 1
  }
  const what = isWhole ? regex.slice(high - 1, high) : input
  return { at: Math.max(0, high - what.length), what }
}

/** Where signs stand that mean something: escaped ones come with their backslash, and those of a class are passed over. */
function* signsOf(regex: string): Generator<Place> {
  for (let at = 0, isInClass = false; at < regex.length; at++) {
    const sign = regex.charAt(at)
    if (sign === '\\') {
      if (!isInClass) yield { at, what: regex.slice(at, at + 2) }
      at++
    } else if (isInClass) isInClass = sign !== ']'
    else if (sign === '[') isInClass = true
    else yield { at, what: sign }
  }
}

/** The first lookaround, atomic group or backreference. */
function unsupportedIn(regex: string): Place | undefined {
  for (const { at, what } of signsOf(regex)) {
    if (/^\\[1-9k]/.test(what)) return { at, what }
    const [group] = what === '(' ? (/^\(\?(<?[=!]|>)/.exec(regex.slice(at, at + 4)) ?? []) : []
    if (group !== undefined) return { at, what: group }
  }
  return undefined
}

/** Where the innermost parenthesis opens that is not closed. */
function unclosed(regex: string): number {
  const open: number[] = []
  for (const { at, what } of signsOf(regex)) {
    if (what === '(') open.push(at)
    else if (what === ')') open.pop()
  }
  return open.at(-1) ?? 0
}
