import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sallyport-supervisor-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** A supervisor as a program of its own, with one child that says that it is alive and freezes as told. */
async function supervise(freeze: 'stops' | 'spins' | 'goes on') {
  const child = join(folder, 'child.mjs')
  await writeFile(
    child,
    `import { appendFileSync } from 'node:fs'
    process.on('disconnect', () => process.exit(0))
    process.on('SIGUSR2', () => {
      appendFileSync(${JSON.stringify(join(folder, 'spins'))}, '')
      for (;;);
    })
    appendFileSync(${JSON.stringify(join(folder, 'pids'))}, process.pid + '\\n')
    process.send({ kind: 'ready' })
    setInterval(() => process.send({ kind: 'alive' }), 50)
    ${freeze === 'spins' ? 'setTimeout(() => { for (;;); }, 300)' : ''}
    ${freeze === 'stops' ? "setTimeout(() => process.kill(process.pid, 'SIGSTOP'), 300)" : ''}`,
  )
  const program = join(folder, 'supervisor.mjs')
  const lib = JSON.stringify(join(import.meta.dirname, 'lib/supervisor.mjs'))
  await writeFile(
    program,
    `import { Supervised } from ${lib}
    const what = { name: 'child', command: process.execPath, args: [${JSON.stringify(child)}], env: {} }
    const supervised = new Supervised({ ...what, frozenAfterMs: 1500, endsWithinMs: 1000 })
    await supervised.start()
    process.on('SIGTERM', () => supervised.stop(500).then(() => process.exit(0)))
    console.log('started')`,
  )
  const supervisor = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said: string[] = []
  supervisor.stderr.on('data', (chunk: Buffer) => said.push(...chunk.toString().trim().split('\n')))
  await once(supervisor.stdout, 'data')
  const pids = async () => (await readFile(join(folder, 'pids'), 'utf8')).trim().split('\n').map(Number)
  return { supervisor, pids, said }
}

/** One that nobody has asked about since it ended is not running. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Stopped, or spinning in its handler. */
const isFrozen = (pid: number): boolean =>
  existsSync(join(folder, 'spins')) || /\) T /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

test.each(['stops', 'spins'] as const)('a process that %s is killed and started again', async (freeze) => {
  const { supervisor, pids, said } = await supervise(freeze)
  await expect.poll(async () => (await pids()).length, { timeout: 20_000 }).toBeGreaterThan(1)
  expect(isRunning((await pids())[0] ?? 0)).toBe(false)
  supervisor.kill('SIGTERM')
  await once(supervisor, 'exit')
  expect((await pids()).filter(isRunning)).toEqual([])
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/.source
  expect(said[0]).toMatch(new RegExp(`${time} The child is frozen and is killed\\.$`))
  expect(said[1]).toMatch(
    new RegExp(`${time} The child ended \\(SIGKILL\\); starting it again in 0\\.5 s\\.$`),
  )
})

test.each(['SIGSTOP', 'SIGUSR2'] as const)(
  'one frozen by %s does not outlive its supervisor',
  async (signal) => {
    const { supervisor, pids } = await supervise('goes on')
    const [pid = 0] = await pids()
    process.kill(pid, signal)
    await expect.poll(() => isFrozen(pid), { timeout: 20_000 }).toBe(true)
    supervisor.kill('SIGKILL')
    await once(supervisor, 'exit')
    expect(isRunning(pid)).toBe(true)
    await expect.poll(() => isRunning(pid), { timeout: 20_000 }).toBe(false)
  },
)

test('a frozen process ends when it is asked to', async () => {
  const { supervisor, pids } = await supervise('goes on')
  const [pid = 0] = await pids()
  process.kill(pid, 'SIGSTOP')
  supervisor.kill('SIGTERM')
  await once(supervisor, 'exit')
  expect(isRunning(pid)).toBe(false)
})
