import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { findPostmaster } from './database/postmaster.ts'
import { placeOfData } from './database/cluster.ts'
import { openGround } from './ground.ts'
import { testLog } from './testing/index.ts'

test('a connection that was lost and is never given back does not keep the embedded database from being stopped', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-ground-'))
  await chmod(dataDir, 0o711)
  const ground = await openGround(readConfig({ SALLYPORT_DATA: dataDir }), testLog)
  const held = await ground.database.pool.connect()
  const { connection } = held as unknown as { connection: { stream: Socket } }
  connection.stream.destroy()
  await ground.close()
  expect(await findPostmaster((await placeOfData(dataDir)) ?? '')).toBeUndefined()
  await rm(dataDir, { recursive: true })
}, 60_000)
