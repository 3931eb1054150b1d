// Reads the code blocks of a guide and carries them out on a tree, as a developer who follows the guide would.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @typedef {object} Block
 * @property {string} language of the fence: `ts` and `tsx` stand at the end of a file or make it, `diff` changes it, `sh` is run
 * @property {string | undefined} file the last one the paragraph above the block names
 * @property {string[]} lines
 */

/**
 * @param {string} text of a guide
 * @returns {Block[]}
 */
export function blocksOf(text) {
  // Between the fences: prose, block, prose, block …
  const parts = text.split(/^```(.*)\n/m)
  /** @type {Block[]} */
  const blocks = []
  for (let at = 1; at + 2 < parts.length; at += 4) {
    const above = (parts[at - 1] ?? '').trim().split('\n\n').at(-1) ?? ''
    blocks.push({
      language: parts[at] ?? '',
      file: [...above.matchAll(/`([\w./-]+\/[\w.-]+\.tsx?)`/g)].at(-1)?.[1],
      lines: (parts[at + 1] ?? '').split('\n').slice(0, -1),
    })
  }
  return blocks
}

/**
 * What a file holds after its block.
 * @param {string} before
 * @param {Block} block
 */
export function changed(before, { file, language, lines }) {
  if (language !== 'diff') return `${before}${before === '' ? '' : '\n'}${lines.join('\n')}\n`
  const all = before.split('\n')
  let at = 0
  for (const line of lines) {
    const [sign, text] = [line.slice(0, 1), line.slice(1)]
    if (sign === '+') {
      all.splice(at++, 0, text)
      continue
    }
    const found = all.indexOf(text, at)
    if (found === -1) throw new Error(`${file} has no line "${text}" where the guide says so`)
    if (sign === '-') all.splice(found, 1)
    at = sign === '-' ? found : found + 1
  }
  return all.join('\n')
}

/**
 * Puts a block into the tree below `root`.
 * @param {string} root
 * @param {Block} block
 */
export function write(root, block) {
  if (block.file === undefined) throw new Error(`It is not said where this goes:\n${block.lines.join('\n')}`)
  const path = join(root, block.file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, changed(existsSync(path) ? readFileSync(path, 'utf8') : '', block))
}

/**
 * Lines a person writes: neither empty nor an import, of a change those that are new.
 * @param {Block[]} blocks
 */
export function linesByHand(blocks) {
  const written = blocks.flatMap(({ language, lines }) =>
    language === 'diff'
      ? lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1))
      : language === 'sh'
        ? []
        : lines,
  )
  return written.filter((line) => line.trim() !== '' && !line.startsWith('import ')).length
}
