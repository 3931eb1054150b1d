/** Over all sources: what types cannot tell of a text that is named in another view, or no more. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { viewNames } from '../kit/session/session.ts'

const folder = join(import.meta.dirname, '..')
const sources = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['**/*.test.ts', 'testing/**'] }).map(
  (file) => ({ file, source: readFileSync(join(folder, file), 'utf8') }),
)
const catalogues = Object.entries(
  import.meta.glob<Record<string, string>>(
    '../../../../packages/contract/src/messages/{console/*,kit,luna,transfer}.ts',
    { eager: true, import: 'en' },
  ),
)
  .map(([path, texts]) => ({ namespace: /([\w-]+)\.ts$/u.exec(path)?.[1] ?? path, texts }))
  .filter(({ namespace }) => namespace !== 'every-page')

test('each view has a catalogue', () => {
  expect(catalogues.map(({ namespace }) => namespace)).toEqual(expect.arrayContaining([...viewNames]))
})

test('the texts of a view are named in its own folder only: elsewhere they may not be there', () => {
  const named = new RegExp(`['"\`](${viewNames.join('|')}):\\w`, 'gu')
  const elsewhere = sources.flatMap(({ file, source }) =>
    [...source.matchAll(named)]
      .filter(([, view]) => !file.startsWith(`views/${view}/`))
      .map(([text, view]) => `${file}: ${text}… of ${view}`),
  )
  expect(elsewhere).toEqual([])
})

/** Where the texts that have no prefix there are named. */
const rooms: Readonly<Record<string, RegExp>> = {
  shell: /^(?:app\/(?!sign-in\/)|kit\/|views\/)/u,
  'sign-in': /^app\/sign-in\//u,
  kit: /./u,
  luna: /^luna\//u,
  transfer: /^kit\/transfer\//u,
}

/** The quoted words in a source, as patterns: one that is put together (`method_${what}`) stands for several. */
function wordsIn(source: string, prefix = ''): string[] {
  const quoted = new RegExp(`(['"\`])${prefix}(\\w\\w+(?:\\$\\{[^}]*\\}\\w*)?)\\1`, 'gu')
  return [...source.matchAll(quoted)].map(([, , word = '']) => word.replace(/\$\{[^}]*\}/u, '\\w+'))
}

test.each(catalogues)('each text of $namespace is shown somewhere', ({ namespace, texts }) => {
  const textOf = (of: typeof sources) => of.map(({ source }) => source).join('\n')
  const here = sources.filter(({ file }) => rooms[namespace]?.test(file))
  const shown = [...wordsIn(textOf(here)), ...wordsIn(textOf(sources), `${namespace}:`)]
  const isShown = new RegExp(`^(?:${shown.join('|')})$`, 'u')
  const names = Object.keys(texts).map((key) => key.replace(/_(?:one|other)$/u, ''))
  expect(names.filter((name) => !isShown.test(name))).toEqual([])
})
