import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** A program that logs what nobody caught; what `work` says of how it went on. */
async function run(work: string): Promise<{ code: number; said: string }> {
  const program = `
    import { open } from 'node:fs/promises'
    import { setTimeout as sleep } from 'node:timers/promises'
    import { endOnUncaught } from '${new URL('supervised.ts', import.meta.url).href}'
    const log = ({ err }, what) => console.log(what, err.message)
    endOnUncaught({ error: log, fatal: log })
    ${work}
    await sleep(50)
    console.log('goes on')`
  const args = ['--expose-gc', '--input-type=module', '--eval', program]
  return await promisify(execFile)(process.execPath, args).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, said: stdout }),
  )
}

test('what nobody caught ends the process after it was logged', async () => {
  const { code, said } = await run(`setTimeout(() => { throw new Error('thrown in a timer') })`)
  expect({ code, said }).toEqual({ code: 1, said: 'an error nobody caught thrown in a timer\n' })
})

test('a file somebody forgot to close is logged, and ends nothing', async () => {
  const { code, said } = await run(`
    await (async () => void (await open('/dev/null')))()
    await sleep(1)
    gc()`)
  expect(code).toBe(0)
  expect(said).toMatch(/^a file was left open .*closed during garbage collection.*\/dev\/null.*\ngoes on\n$/)
})

test('a connection that broke where nobody listened is logged, and ends nothing', async () => {
  const { code, said } = await run(`
    const { PassThrough } = await import('node:stream')
    new PassThrough().destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))`)
  expect({ code, said }).toEqual({
    code: 0,
    said: 'a connection broke, and nobody caught it aborted\ngoes on\n',
  })
})
