/** What programs that are no shells run commands for. */

/** `!command`, `|m command`, `#command`, keys that only move before it. */
const begunWithSign = /^[\djkfbdugGnNyezw ]{0,99}(?:[!#]|\|\S)\s*\S/
/** Of tmux, at its own prompt. */
const ofTmux =
  /(?:^|:)\s*(?:run(?:-shell)?|if(?:-shell)?|neww|new-window|new(?:-session)?|splitw|split-window|respawn\S*|respawn[pw]|send(?:-keys)?|popup|display-popup|pipep|pipe-pane|bind(?:-key)?|set-hook|confirm\S*)\s/
/** `:…!command` has so much before its `!`. */
const addressMax = 400

/** Whether it has an editor or a pager run a command. It may be all that stands on a screen: each character of it is looked at a few times. */
export function runsCommand(text: string): boolean {
  if (begunWithSign.test(text) || ofTmux.test(text)) return true
  const parts = text.trimEnd().split('!')
  return parts.slice(0, -1).some((part, at) => {
    const isFollowed = at + 2 < parts.length || parts[at + 1] !== ''
    const before = (at === 0 ? ' ' : '!') + part
    return isFollowed && /\s:/.test(before.slice(-addressMax - 2))
  })
}
