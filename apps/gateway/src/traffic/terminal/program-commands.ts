/** What programs that are no shells run commands for. */

/** `!command`, `|m command`, `#command`, keys that only move before it. */
const begunWithSign = /^[\djkfbdugGnNyezw ]{0,99}(?:[!#]|\|\S)\s*\S/
/** `:…!command` has so much before its `!`. */
const addressMax = 400

/** Whether it has an editor or a pager run a command. It may be all that stands on a screen: each character of it is looked at a few times. */
export function runsCommand(text: string): boolean {
  if (begunWithSign.test(text)) return true
  const parts = text.trimEnd().split('!')
  return parts.slice(0, -1).some((part, at) => {
    const isFollowed = at + 2 < parts.length || parts[at + 1] !== ''
    const before = (at === 0 ? ' ' : '!') + part
    return isFollowed && /\s:/.test(before.slice(-addressMax - 2))
  })
}
