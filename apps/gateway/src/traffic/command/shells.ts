import { readingsOf } from '../../policy/readings.ts'

const shells = new Set(['sh', 'bash', 'rbash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'csh', 'tcsh', 'fish'])
/** They take the next word with them. */
const takesWord = new Set(['-o', '+o', '-O', '+O', '--rcfile', '--init-file'])

/** Its input, by a name a shell opens as any file. */
const ownInput = /^\/+(?:dev\/+(?:stdin|fd\/+0)|proc\/+\S+\/+fd\/+0)$/

/** Whether a command runs a shell that takes its commands from what the command is sent: `bash`, `sh -s`, `sudo -i`. */
export const readsCommands = (command: string): boolean =>
  readingsOf(command).some((reading) =>
    reading
      .replaceAll(/\$\{(\w+)\}/g, '$$$1')
      .split(/[;&|(){}`\n]/)
      .some((part) => isReader(part.trim().split(/\s+/))),
  )

function isReader(words: string[]): boolean {
  if (words[0] === 'sudo' && words.some((word) => /^-[a-z]*[is]/i.test(word))) return true
  if (/^(?:source|\.)$/.test(words[0] ?? '')) return words.slice(1).some((word) => ownInput.test(word))
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
  for (let at = from; at < words.length; at++) {
    const word = words[at] ?? ''
    if (/^\d*[<>]/.test(word)) continue
    if (/^-[a-z]*s[a-z]*$/.test(word)) return true
    if (/^-[a-z]*c[a-z]*$/.test(word)) return false
    if (takesWord.has(word)) at++
    else if (!/^[-+]./.test(word)) return word === '-' || ownInput.test(word)
  }
  return true
}
