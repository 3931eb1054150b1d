/**
 * Every address that no declaration covers, with its reason and what it leaves in the books: compared with `routes-by-hand.md`. After a
 * change: `npx vitest run --project server apps/server/src/routes-by-hand.test.ts -u`, and read the difference.
 */
import { expect, test } from 'vitest'
import { createDomains } from './domains.ts'
import { startTestSystem } from './testing.ts'

const { ground } = await startTestSystem()
const { list } = await createDomains(ground)

const recordedAs = (records: 'changes' | { unrecorded: string } | undefined) =>
  records === undefined ? '-' : records === 'changes' ? 'changes' : `nothing: ${records.unrecorded}`

test('every address that is served by hand says why, and what it leaves in the books', async () => {
  const routes = list.flatMap(({ routes = [] }) => routes)
  const rows = [
    ...routes.map(({ method, path, byHand, records }) => [
      `${String(method).replace(',', ', ')} ${path}`,
      byHand,
      recordedAs(records),
    ]),
    ...list.flatMap(({ sockets = [] }) => sockets).map(({ path }) => [`socket ${path}`, 'a websocket', '-']),
  ].map((cells) => `| ${cells.join(' | ')} |`)
  const table = [
    '# Served by hand',
    '',
    'Written by `routes-by-hand.test.ts` and binding. Everything else is declared in the contract (docs/guides/add-a-call.md).',
    '',
    '| Address | Why | Leaves in the books |',
    '| --- | --- | --- |',
    ...rows.toSorted(),
    '',
  ].join('\n')
  await expect(table).toMatchFileSnapshot('./routes-by-hand.md')
})
