/**
 * Copying and pasting for a terminal. The clipboard API only exists on https and localhost; on a plain http address copying falls back
 * to the browser's copy command, and reading is left to the browser's own paste gesture.
 */

/** Copies text; false when the browser refused. */
export async function copyText(text: string): Promise<boolean> {
  const clipboard = 'clipboard' in navigator ? navigator.clipboard : undefined
  if (clipboard) {
    try {
      await clipboard.writeText(text)
      return true
    } catch {
      // No permission or no focus: the copy command may still be allowed.
    }
  }
  const area = document.createElement('textarea')
  const focused = document.activeElement
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  document.body.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

export const canReadClipboard = () => window.isSecureContext && 'clipboard' in navigator

/** The clipboard's text; undefined when the browser or the person refused. */
export async function readClipboard(): Promise<string | undefined> {
  if (!canReadClipboard()) return undefined
  try {
    return await navigator.clipboard.readText()
  } catch {
    return undefined
  }
}

/** More than this is not typed into a terminal by mistake or by hand; it belongs into a file transfer. */
export const maxPasteLength = 1_000_000

// Control characters in pasted text could end the bracket or press keys that nobody sees; tabs and line ends stay.
const controls = /[^\P{Cc}\t\n\r]/gu

/** The text as it may be pasted: without control characters, so that it cannot leave a bracketed paste or press hidden keys. */
export const cleanPaste = (text: string) => text.replace(controls, '')

/** Whether a shell runs something of it before anything more is typed: a line end runs the line before it. */
export const runsWhenPasted = (text: string) => /[\r\n]/.test(text)

/** How many lines it has. */
export const pastedLines = (text: string) => text.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/).length
