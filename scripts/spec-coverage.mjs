// Keeps docs/spec-coverage.md true. `node scripts/spec-coverage.mjs` checks the page, `--write` first brings its counts up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const page = join(root, 'docs/spec-coverage.md')
const states = ['done', 'done, no test', 'partly', 'not yet']
const begin = '<!-- counts -->'
const end = '<!-- /counts -->'

/**
 * The rows of the page.
 * @param {string} text
 */
export function rowsOf(text) {
  return text
    .split('\n')
    .filter((line) => /^\| \d+-/.test(line))
    .map((line) => {
      const [number = '', statement = '', where = '', tests = '', state = '', ...rest] = line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim())
      return { number, statement, where, tests, state, isWhole: state !== '' && rest.length === 0 }
    })
}

/** @param {string} state */
function kindOf(state) {
  return state.startsWith('partly: ') ? 'partly' : state
}

/** @param {string} cell */
function partsOf(cell) {
  return cell === '—' ? [] : cell.split('<br>')
}

/**
 * The counts as they stand in the head of the page.
 * @param {ReturnType<typeof rowsOf>} rows
 */
export function countsOf(rows) {
  /** @param {string} start @param {string} state */
  const count = (start, state) =>
    rows.filter((row) => row.number.startsWith(start) && kindOf(row.state) === state).length
  const lines = states.map(
    (state) => `| ${state} | ${count('1-', state)} | ${count('2-', state)} | ${count('', state)} |`,
  )
  /** @param {string} start */
  const total = (start) => rows.filter((row) => row.number.startsWith(start)).length
  return [
    '| State | Specification 1 | Specification 2 | Both |',
    '| --- | --- | --- | --- |',
    ...lines,
    `| all | ${total('1-')} | ${total('2-')} | ${total('')} |`,
  ].join('\n')
}

/** @param {string} text */
function withCounts(text) {
  const [before] = text.split(begin, 1)
  const [, after = ''] = text.split(end)
  return `${before}${begin}\n\n${countsOf(rowsOf(text))}\n\n${end}${after}`
}

/**
 * Whether a test file exists and, when one is given, has a test of that title.
 * @param {string} path
 * @param {string} title
 */
function hasTest(path, title) {
  const file = join(root, path)
  if (!existsSync(file)) return false
  const text = readFileSync(file, 'utf8')
  return title === '' || [`'`, `"`, '`'].some((quote) => text.includes(`${quote}${title}${quote}`))
}

/** @param {ReturnType<typeof rowsOf>[number]} row */
function problemsOfRow({ statement, where, tests, state, isWhole }) {
  const kind = kindOf(state)
  if (!isWhole || statement === '') return ['has not five cells']
  if (!states.includes(kind)) return [`has no valid state: ${state}`]
  const paths = partsOf(where)
  const named = partsOf(tests)
  const found = []
  if ((kind === 'not yet') !== (paths.length === 0)) found.push('names a place exactly when something exists')
  if (kind === 'done' && named.length === 0) found.push('is done without a test: write "done, no test"')
  if ((kind === 'done, no test' || kind === 'not yet') && named.length > 0) found.push('names a test')
  for (const path of paths) {
    const [, name = ''] = /^`([^`]+)`$/.exec(path) ?? []
    if (name === '' || !existsSync(join(root, name))) found.push(`names a place that is not there: ${path}`)
  }
  for (const test of named) {
    const [, name = '', title = ''] = /^`([^`]+\.test\.(?:ts|tsx|mjs))`(?:: (.+))?$/.exec(test) ?? []
    if (name === '' || !hasTest(name, title.replaceAll(String.raw`\|`, '|')))
      found.push(`names a test that is not there: ${test}`)
  }
  return found
}

/**
 * What is wrong with the page, a sentence each.
 * @param {string} text
 */
export function problemsOf(text) {
  const rows = rowsOf(text)
  const found = rows.flatMap((row) => problemsOfRow(row).map((problem) => `${row.number} ${problem}`))
  let [section, last] = ['', 0]
  for (const { number } of rows) {
    const [now = '', at = ''] = number.split('.')
    last = now === section ? last + 1 : 1
    section = now
    if (Number(at) !== last) found.push(`${number} is out of order`)
  }
  if (withCounts(text) !== text)
    found.push('the counts are wrong: run node scripts/spec-coverage.mjs --write')
  return found
}

/** The page as it stands. */
export function readPage() {
  return readFileSync(page, 'utf8')
}

if (process.argv[1] === import.meta.filename) {
  if (process.argv.includes('--write')) writeFileSync(page, withCounts(readPage()))
  const problems = problemsOf(readPage())
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
}
