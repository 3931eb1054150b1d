/** What the server and the gateway say stands in the contract's catalogues, in three languages: nothing stands there that nobody says, and brackets are of one width. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as messages from '@sallyport/contract/messages/index'
import { expect, test } from 'vitest'
import { gatewayMessages } from '../packages/contract/src/messages/gateway.ts'
import { filterMessages } from '../packages/contract/src/messages/gateway-filters.ts'
import { gatewayMenu } from '../packages/contract/src/messages/gateway-menu.ts'
import { targetMessages } from '../packages/contract/src/messages/gateway-targets.ts'

const { errors, serverTexts, auditTexts, mailTexts } = messages
const catalogues = {
  errors,
  serverTexts,
  auditTexts,
  mailTexts,
  gatewayMessages,
  filterMessages,
  gatewayMenu,
  targetMessages,
}

const cwd = join(import.meta.dirname, '..')
const source = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', {
  cwd,
  exclude: ['**/*.test.ts', '**/testing/**', 'packages/contract/src/messages/**'],
})
  .map((file) => readFileSync(join(cwd, file), 'utf8'))
  .join('\n')
const words = new Set([...source.matchAll(/\b[\w.]+\b/gu)].flatMap(([word]) => [word, ...word.split('.')]))
/** Names that are put together: `block_${kind}` stands for several. One letter and more has to be said. */
const patterns = [...source.matchAll(/`((?:[\w.]+|\$\{[^}`]*\})+)`/gu)]
  .map(([, name]) => name)
  .filter((name) => name.includes('${') && name.replaceAll(/\$\{[^}]*\}/gu, '').length > 3)
  .map((name) => new RegExp(`^${name.replaceAll(/\$\{[^}]*\}/gu, '[\\w.]+')}$`, 'u'))

test.each(Object.entries(catalogues))('each text of %s is said somewhere', (_name, { en }) => {
  const names = Object.keys(en).map((key) => key.replace(/_(?:one|other)$/u, ''))
  expect(names.length).toBeGreaterThan(20)
  const isSaid = (name) => words.has(name) || patterns.some((pattern) => pattern.test(name))
  expect(names.filter((name) => !isSaid(name))).toEqual([])
})

test('brackets behind Chinese and Japanese words are of their width', () => {
  // Terminals are told everything in the narrow form; `名称(ID)` is how files name rows, `(uid=` a filter.
  const files = globSync('packages/contract/src/messages/**/*.ts', { cwd, exclude: ['**/gateway*.ts'] })
  const narrow = files.flatMap((file) =>
    [
      ...readFileSync(join(cwd, file), 'utf8').matchAll(
        /.*[\u3040-\u30ff\u3400-\u9fff々] ?\((?!ID\)|\w+=).*/gu,
      ),
    ].map(([line]) => `${file}: ${line.trim()}`),
  )
  expect(files.length).toBeGreaterThan(20)
  expect(narrow).toEqual([])
})
