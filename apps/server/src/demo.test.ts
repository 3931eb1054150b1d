import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { createEmptyDatabase } from './kernel/testing/index.ts'

/** Runs one of the server's programs to its end, which is asked for as soon as it is ready. */
async function run(program: string, env: NodeJS.ProcessEnv): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program)], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      SALLYPORT_HTTP: '127.0.0.1:0',
      SALLYPORT_LOG: 'error',
      ...env,
    },
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('Sallyport is ready')) child.kill('SIGTERM')
  })
  await once(child, 'close')
  return { code: child.exitCode, err }
}

test('the demo is filled again when its live host has another port', async () => {
  const SALLYPORT_DATA = await mkdtemp(join(tmpdir(), 'sallyport-demo-'))
  const key = join(SALLYPORT_DATA, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
  const env = { SALLYPORT_DATA, DATABASE_URL: await createEmptyDatabase() }
  const demoAt = (port: number) =>
    run('demo.ts', {
      ...env,
      SALLYPORT_DEMO_HOST: '127.0.0.1',
      SALLYPORT_DEMO_PORT: String(port),
      SALLYPORT_DEMO_USERNAME: 'demo',
      SALLYPORT_DEMO_PRIVATE_KEY_FILE: key,
    })
  expect(await run('main.ts', env)).toEqual({ code: 0, err: '' })
  expect(await demoAt(2201)).toEqual({ code: 0, err: '' })
  expect(await demoAt(2202)).toEqual({ code: 0, err: '' })
  const client = new Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const { rows } = await client.query(
    `select protocols -> 0 -> 'port' as port from assets where name = 'live-demo'`,
  )
  expect(rows).toEqual([{ port: 2202 }])
  expect((await client.query('select 1 from bearer_tokens')).rows).toEqual([])
  await client.end()
  await rm(SALLYPORT_DATA, { recursive: true })
}, 300_000)
