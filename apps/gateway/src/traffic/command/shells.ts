const shells = new Set(['sh', 'bash', 'rbash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'csh', 'tcsh', 'fish'])
/** They take the next word with them. */
const takesWord = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file'])

/** With its word: which one a shell takes its input from in the end, nobody looks for. */
const redirection = /(?<!\d)\d*[<>]+\s*[^\s<>]*/g
/** Nobody needs more words before the one that says what a shell runs. */
const optionsMost = 100

/** Its input, by a name a shell opens as any file. */
const isOwnInput = (word: string) =>
  /^\/(?:dev\/(?:stdin|fd\/0)|proc\/\S+\/fd\/0)$/.test(word.replaceAll(/\/+/g, '/'))

/** Whether a command with these readings runs a shell that takes its commands from what the command is sent: `bash`, `sh -s`, `sudo -i`. */
export const readsCommands = (readings: readonly string[]): boolean =>
  readings.some((reading) =>
    reading
      .replaceAll(/\$\{(\w+)\}/g, '$$$1')
      .split(/[;&|(){}`\n]+/)
      .some((part) => isReader(part.replaceAll(redirection, ' ').trim().split(/\s+/))),
  )

/** Whether a shell may look for calls of the history behind a line with these readings, though it has no terminal: `bash -i`, `set -H`. */
export const turnsHistoryOn = (readings: readonly string[]): boolean =>
  readings.some(
    (reading) =>
      /\bhistexpand\b/.test(reading) ||
      (/\b(?:set|(?:ba|rba|z|k|mk|c|tc)?sh|SHELL|BASH)\b|\$0/.test(reading) &&
        /\s-[A-Za-z]*[iH]/.test(reading)),
  )

function isReader(words: string[]): boolean {
  if (words[0] === 'sudo' && words.some((word) => /^-[a-z]*[is]/i.test(word))) return true
  if (/^(?:source|\.)$/.test(words[0] ?? '')) return words.slice(1).some(isOwnInput)
  const lastOfCommand = words.lastIndexOf('-c')
  return words.some((word, at) => {
    const name = nameOf(word)
    if (name === 'su') return lastOfCommand < at
    const isShell = shells.has(name) || /^\$(?:SHELL|BASH|0)$/.test(name)
    return isShell && isReadingItsInput(words, at + 1)
  })
}

const nameOf = (word: string) => word.replaceAll(/["'\\]/g, '').replace(/^.*\//, '')

/** What stands behind a shell, from that word on, names neither a command nor a script. */
function isReadingItsInput(words: string[], from: number): boolean {
  for (let at = from; at < Math.min(words.length, from + optionsMost); at++) {
    const word = words[at] ?? ''
    const letters = /^-[a-z]+$/.test(word) ? word : ''
    if (letters.includes('s')) return true
    if (letters.includes('c')) return false
    if (takesWord.has(word)) at++
    else if (!/^[-+]./.test(word)) return word === '-' || isOwnInput(word)
  }
  return true
}
