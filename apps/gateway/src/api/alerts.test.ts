import { randomUUID } from 'node:crypto'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import type { CommandAlert } from '@sallyport/contract/gateway/reviews'
import type { Log } from '../log.ts'
import { TestClient } from '../testing/client.ts'
import { filter } from '../testing/filters.ts'
import { startTestBench } from '../testing/gateway.ts'
import { boundedAlerts } from './alerts.ts'

afterEach(() => void vi.restoreAllMocks())

const alert = { session: randomUUID(), risk_level: 5, cmd_filter_acl: randomUUID() }

test('of one session people are told of twenty commands in ten minutes, and the log once that it were more', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
  const kept: CommandAlert[] = []
  const lines: unknown[] = []
  const log = { warn: (line: string) => lines.push(line) } as unknown as Log
  const tell = boundedAlerts((one) => Promise.resolve(void kept.push(one)), log)
  for (let count = 0; count < 5000; count++) tell({ ...alert, input: `rm ${count}` })
  expect(kept.map(({ input }) => input)).toEqual(Array.from({ length: 20 }, (_, count) => `rm ${count}`))
  clock.mockReturnValue(1000 + 10 * 60_000)
  for (let count = 0; count < 50; count++) tell({ ...alert, input: 'rm later' })
  expect([kept.length, lines.length]).toEqual([40, 1])
})

test('of a command nobody would read to its end the queue keeps the beginning and the end', () => {
  const kept: CommandAlert[] = []
  const tell = boundedAlerts((one) => Promise.resolve(void kept.push(one)), {} as Log)
  tell({ ...alert, input: `rm ${'x'.repeat(100_000)} -rf` })
  expect(kept[0]?.input).toMatch(/^rm x+ \[… \d+ characters left out …\] x+ -rf$/)
  expect(kept[0]?.input.length).toBeLessThanOrEqual(1000)
})

test('whoever sends a shell forty commands a filter is about has all of them on the books, and twenty are told', async () => {
  const bench = await startTestBench()
  onTestFinished(() => bench.stop())
  bench.server.filters = [filter('notice', 'noticed')]
  const client = new TestClient({ command: 'bash -s' }).collect()
  const session = bench.open(client)
  const lines = Array.from({ length: 40 }, (_, count) => `: noticed ${count}`)
  client.stdin.end(lines.map((line) => `${line}\n`).join(''))
  await session.done
  const of = (books: Record<string, unknown>[]) =>
    books.filter((one) => one.session === session.id).map(({ input }) => input)
  await expect.poll(() => of(bench.server.commands)).toEqual([...lines, 'bash -s'])
  await expect.poll(() => of(bench.server.alerts)).toEqual(lines.slice(0, 20))
})
