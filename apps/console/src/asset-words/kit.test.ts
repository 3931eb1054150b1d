import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const kit = fileURLToPath(new URL('../kit/', import.meta.url))
const ofAssets = /contract\/resources\/(?:accounts|asset[-a-z]*|assets|categories|grants|nodes|perms)'/u

test('the kit knows no assets and no accounts: what several views say of them stands here', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: kit }).filter((file) => !file.includes('.test.'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => ofAssets.test(readFileSync(kit + file, 'utf8')))).toEqual([])
})
