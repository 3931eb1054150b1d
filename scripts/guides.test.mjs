/** The guides, followed to the letter in a copy of the tree: what they say is what compiles and passes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { blocksOf, changed, linesByHand, write } from './guides.mjs'

const top = join(import.meta.dirname, '..')
/** Some seconds on a quiet machine. */
const commandTimeoutMs = 400_000
const copy = mkdtempSync(join(tmpdir(), 'sallyport-guides-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const guide = (name) => blocksOf(readFileSync(join(top, 'docs/guides', `${name}.md`), 'utf8'))

/** The sources, and the packages of this tree; its own packages are those of the copy. */
function copyTree() {
  const skipped = new Set(['node_modules', 'dist', '.git', 'data'])
  for (const name of readdirSync(top).filter((name) => !skipped.has(name)))
    cpSync(join(top, name), join(copy, name), {
      recursive: true,
      filter: (path) => !skipped.has(path.slice(path.lastIndexOf('/') + 1)),
    })
  const packages = join(copy, 'node_modules')
  mkdirSync(packages)
  for (const name of readdirSync(join(top, 'node_modules')).filter((name) => !/^\.(?!bin)/.test(name)))
    if (name === '@sallyport')
      cpSync(join(top, 'node_modules', name), join(packages, name), {
        recursive: true,
        verbatimSymlinks: true,
      })
    else symlinkSync(join(top, 'node_modules', name), join(packages, name))
}

/** Runs a command of a guide in the copy, without what this test run set for its own. */
async function run(command) {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VITEST.*|NODE_ENV|TEST)$/.test(name)),
  )
  const child = spawn(command, { cwd: copy, env, shell: true, timeout: commandTimeoutMs })
  let told = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      told += String(chunk)
    })
  const [status] = await once(child, 'close')
  expect(status, `${command}\n${told}`).toBe(0)
}

const isSaidIn = (steps, line) => steps.some(({ lines }) => lines.includes(line))

/** Checking types takes long and tells the same at the end: what a later guide says again is run there only. */
async function follow(names) {
  const steps = names.flatMap(guide)
  for (const [at, { language, lines }] of steps.entries()) {
    if (language !== 'sh') write(copy, steps[at])
    else for (const line of lines) if (!isSaidIn(steps.slice(at + 1), line)) await run(line)
  }
}

test(
  'what is added as the guides say compiles and passes its tests: a resource with its screens, a call, an execution, a singleton, a domain, a setting, a step of signing in and a kind of ticket',
  { timeout: 900_000 },
  async () => {
    copyTree()
    await follow([
      'add-a-resource',
      'add-a-screen',
      'add-a-call',
      'add-an-execution',
      'add-a-singleton',
      'add-a-domain',
      'add-a-setting',
      'add-a-sign-in-step',
      'add-a-ticket-kind',
    ])
  },
)

test('a guide that names a line the tree does not have, or no file, is noticed', () => {
  const block = { file: 'a/b.ts', language: 'diff', lines: [' two', '+and', '-three'] }
  expect(changed('one\ntwo\nthree\n', block)).toBe('one\ntwo\nand\n')
  expect(() => changed('one\nthree\ntwo\n', block)).toThrow('a/b.ts has no line "three"')
  expect(() => write(copy, { ...block, file: undefined })).toThrow('It is not said where this goes')
})

test('a resource with list, form, related tab, tests and three languages takes few lines by hand', () => {
  const lines = linesByHand([...guide('add-a-resource'), ...guide('add-a-screen')])
  console.info(
    `A resource with list, form, related tab, tests and three languages: ${lines} lines by hand (to reach: 90)`,
  )
  expect(lines).toBeLessThanOrEqual(90)
})
