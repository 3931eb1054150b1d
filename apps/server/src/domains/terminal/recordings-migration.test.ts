/** A database from when a session had one recording keeps it as the session's first. */
import { expect, onTestFinished, test } from 'vitest'
import { Client } from 'pg'
import { migrate } from '../../kernel/database/migrate.ts'
import { createEmptyDatabase, migrationsUpTo, testLog } from '../../kernel/testing/index.ts'

const id = (number: number) => `00000000-0000-4000-8000-00000000000${number}`

test('each session with chunks has them as its first recording, finished where it was', async () => {
  const url = await createEmptyDatabase()
  await migrate(url, testLog, await migrationsUpTo('places-of-small-executions'))
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  const session = (number: number, type: string, chunks: number | null) =>
    client.query(
      `insert into sessions (id, "user", asset, account, account_id, protocol, type, org_id, recording_chunks, recording_ms)
         values ($1, 'Ann', 'web', 'root', '', 'ssh', $2, $1, $3::int, 700 * $3::int)`,
      [id(number), type, chunks],
    )
  await session(1, 'normal', 2)
  await session(2, 'command', null)
  await session(3, 'normal', null)
  await client.query(
    `insert into recording_chunks (session_id, number, start_ms, end_ms, size, sha256)
       values ('${id(1)}', 1, 0, 700, 10, 'a'), ('${id(1)}', 2, 700, 1400, 20, 'b'), ('${id(2)}', 1, 0, 500, 30, 'c')`,
  )
  await migrate(url, testLog)
  const rows = async (query: string) =>
    (await client.query<unknown[]>({ text: query, rowMode: 'array' })).rows
  expect(
    await rows('select session_id, number, kind, chunks, duration_ms from recordings order by 1'),
  ).toEqual([
    [id(1), 1, 'terminal', 2, 1400],
    [id(2), 1, 'command', null, null],
  ])
  expect(
    await rows('select session_id, recording, number, sha256 from recording_chunks order by 1, 3'),
  ).toEqual([
    [id(1), 1, 1, 'a'],
    [id(1), 1, 2, 'b'],
    [id(2), 1, 1, 'c'],
  ])
})
