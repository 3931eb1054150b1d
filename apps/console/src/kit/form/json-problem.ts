/** Where a text stops being JSON (RFC 8259): the line and the column, both from 1; undefined where it is JSON. */
export function jsonProblem(text: string): { line: number; column: number } | undefined {
  const offset = problemAt(text)
  if (offset === undefined) return undefined
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

const blank = /[ \t\n\r]*/y
const string = /"(?:[^"\\]+|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

/** What may come next: a value, the name of a member, what follows a value; with its end where nothing came before it. */
type Next = 'value' | 'value or end' | 'name' | 'name or end' | 'more' | 'done'

/** The offset of the first part that cannot stand where it does; the engines of browsers tell it each in another way, or not at all. */
function problemAt(text: string): number | undefined {
  const closers: string[] = []
  let at = 0
  let next: Next = 'value'
  const take = (shape: RegExp): boolean => {
    shape.lastIndex = at
    if (!shape.test(text)) return false
    at = shape.lastIndex
    return true
  }
  const takeString = (): boolean => {
    const from = at
    if (!take(string)) return false
    // Control characters stand in a string only behind a backslash.
    const control = text.slice(from, at).search(/[^ -\uFFFF]/)
    if (control >= 0) at = from + control
    return control < 0
  }
  const after = (): Next => (closers.length > 0 ? 'more' : 'done')
  for (;;) {
    take(blank)
    const sign = text[at]
    if (sign === undefined) return next === 'done' ? undefined : at
    if (next === 'done') return at
    const mayEnd = next === 'more' || next.endsWith('or end')
    if (mayEnd && sign === closers.at(-1)) {
      closers.pop()
      at += 1
      next = after()
    } else if (next === 'more') {
      if (sign !== ',') return at
      at += 1
      next = closers.at(-1) === '}' ? 'name' : 'value'
    } else if (next.startsWith('name')) {
      if (!takeString()) return at
      take(blank)
      if (text[at] !== ':') return at
      at += 1
      next = 'value'
    } else if (sign === '{' || sign === '[') {
      closers.push(sign === '{' ? '}' : ']')
      at += 1
      next = sign === '{' ? 'name or end' : 'value or end'
    } else {
      if (!takeString() && !take(literal)) return at
      next = after()
    }
  }
}
