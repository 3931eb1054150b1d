import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { hashPassword } from './passwords.ts'

test('a file is read at once however many passwords are hashed: they do not take the threads files are read with', async () => {
  const many = 24
  let hashed = 0
  const all = Array.from({ length: many }, async (_, at) => {
    await hashPassword(`password ${at}`)
    hashed += 1
  })
  await all[0]
  await readFile(import.meta.filename)
  expect(hashed).toBeLessThan(many / 2)
  await Promise.all(all)
})
