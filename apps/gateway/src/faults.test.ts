import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startProcessBench, type ProcessBench } from './testing/process.ts'

let bench: ProcessBench
beforeEach(async () => {
  bench = await startProcessBench()
})
afterEach(async () => {
  await bench.stop()
})

const onlySession = () => [...bench.server.sessions.values()][0]
const recordingOf = (id: string) => bench.server.recordings.get(id)

test('killed under load, the gateway loses at most a second of the recording and none of the books', async () => {
  const first = bench.start()
  const client = bench.ssh((await first.ready()).sshPort, ['-tt'])
  let shown = ''
  client.stdout?.on('data', (data: Buffer) => (shown += data.toString('latin1')))
  // a line every 20 ms that says when it was written
  client.stdin?.write('while :; do date +t=%s%3N; seq 1 300; sleep 0.02; done\n')
  await expect.poll(() => [...shown.matchAll(/t=\d{13}/g)].length).toBeGreaterThan(60)
  first.kill('SIGKILL')
  await first.ended
  const session = onlySession()
  expect(session?.is_finished).toBe(false)
  const second = bench.start()
  await second.ready()
  await expect.poll(() => session?.end_reason, { timeout: 10_000 }).toBe('gateway_lost')
  await expect.poll(() => recordingOf(session?.id ?? '')?.finished, { timeout: 10_000 }).toBeTruthy()
  const output = await bench.server.outputText(session?.id ?? '')
  const newest = (text: string) =>
    Math.max(...[...text.matchAll(/t=(\d{13})/g)].map((match) => Number(match[1])))
  expect(newest(shown) - newest(output)).toBeLessThan(1000)
  client.kill()
})

test('output that is meant to freeze the gateway freezes nobody, and all of it is recorded', async () => {
  const { sshPort } = await bench.start().ready()
  const [hostile, other] = [bench.ssh(sshPort, ['-tt']), bench.ssh(sshPort, ['-tt'])]
  const shown = { hostile: '', other: '' }
  hostile.stdout?.on('data', (data: Buffer) => (shown.hostile += data.toString('latin1')))
  other.stdout?.on('data', (data: Buffer) => (shown.other += data.toString('latin1')))
  await expect.poll(() => shown.other, { timeout: 10_000 }).toMatch(/\$ $/)
  hostile.stdin?.write(
    String.raw`for i in $(seq 2000); do printf '\e[2147483647S\e[2147483647b\e[999L'; done; echo th''rough` +
      '\n',
  )
  await expect.poll(() => shown.hostile, { timeout: 20_000 }).toContain('through\r\n')
  other.stdin?.write('echo not-fro""zen\n')
  await expect.poll(() => shown.other, { timeout: 2000 }).toContain('not-frozen\r\n')
  for (const { stdin } of [hostile, other]) stdin?.write('exit\n')
  await Promise.all([once(hostile, 'exit'), once(other, 'exit')])
  const ended = () => [...bench.server.sessions.values()].map((session) => session.end_reason)
  await expect.poll(ended, { timeout: 10_000 }).toEqual(['target_closed', 'target_closed'])
  const ids = [...bench.server.sessions.keys()]
  await expect.poll(() => ids.every((id) => recordingOf(id)?.finished), { timeout: 10_000 }).toBe(true)
  const outputs = await Promise.all(ids.map((id) => bench.server.outputText(id)))
  expect(outputs.filter((output) => output.includes('\x1b[2147483647S'))).toHaveLength(1)
}, 60_000)

test('while the server is away sessions go on, and recording and commands are complete when it is back', async () => {
  const gateway = bench.start()
  const client = bench.ssh((await gateway.ready()).sshPort, ['-tt'])
  let shown = ''
  client.stdout?.on('data', (data: Buffer) => (shown += data.toString('latin1')))
  await expect.poll(() => shown, { timeout: 10_000 }).toMatch(/\$ $/)
  await bench.server.goAway()
  client.stdin?.write('echo in-between; seq 1 50000\n')
  await expect.poll(() => shown, { timeout: 10_000 }).toContain('\n50000\r\n')
  client.stdin?.write('exit 5\n')
  const [code] = await once(client, 'exit')
  expect(code).toBe(5)
  await bench.server.comeBack()
  const session = onlySession()
  await expect.poll(() => session?.end_reason, { timeout: 15_000 }).toBe('target_closed')
  await expect.poll(() => recordingOf(session?.id ?? '')?.finished, { timeout: 15_000 }).toBeTruthy()
  expect(await bench.server.outputText(session?.id ?? '')).toContain('\n50000\r\n')
  await expect
    .poll(() => bench.server.commands.map((command) => command.input))
    .toEqual(['echo in-between; seq 1 50000', 'exit 5'])
  await expect.poll(() => bench.server.statuses.at(-1)?.sessions, { timeout: 10_000 }).toEqual([])
})

test('a gateway deleted on the server stays out, says what to do, and registers anew when its key is removed', async () => {
  const first = bench.start()
  const { sshPort } = await first.ready()
  const registrations = () =>
    bench.server.calls.filter((call) => call.includes('terminal-registrations')).length
  const login = async (port: number) => {
    const client = bench.ssh(port, ['echo', 'works'])
    let output = ''
    client.stdout?.on('data', (data: Buffer) => (output += data.toString()))
    await once(client, 'close')
    return output
  }
  expect(await login(sshPort)).toBe('works\n')
  bench.server.forgetKey()
  expect(await login(sshPort)).toBe('')
  await expect.poll(() => first.log, { timeout: 10_000 }).toContain('it was deleted there')
  first.kill('SIGKILL')
  await first.ended
  // Neither does it come back by a restart.
  const second = bench.start()
  await expect.poll(() => second.log, { timeout: 15_000 }).toContain('remove the file with its key')
  expect(registrations()).toBe(1)
  await rm(join(bench.folder, 'gateway', 'access_key'))
  expect(await login((await second.ready()).sshPort)).toBe('works\n')
  expect(registrations()).toBe(2)
})

test('gateways behind one address show one face', async () => {
  const face = async (environment: NodeJS.ProcessEnv) => {
    const gateway = bench.start(environment)
    const { sshPort } = await gateway.ready()
    const { stdout } = await promisify(execFile)('ssh-keyscan', ['-p', String(sshPort), '127.0.0.1'])
    gateway.kill('SIGKILL')
    await gateway.ended
    return stdout
      .split('\n')
      .map((line) => line.split(' ').slice(1).join(' '))
      .toSorted()
  }
  const other = await mkdtemp(join(tmpdir(), 'sallyport-faults-'))
  const first = await face({})
  expect(first.join(' ')).toMatch(/ssh-ed25519 .* ssh-rsa /)
  expect(await face({ SALLYPORT_DATA: other })).toEqual(first)
  await rm(other, { recursive: true })
})

test('a gateway that is not told its host keys at once waits for them, and serves', async () => {
  bench.server.busy = /host-keys\/own/
  const gateway = bench.start()
  const asked = () => bench.server.calls.filter((call) => call.includes('host-keys/own')).length
  await expect.poll(asked, { timeout: 20_000 }).toBeGreaterThan(1)
  bench.server.busy = undefined
  expect((await gateway.ready()).sshPort).toBeGreaterThan(0)
})

test('what nobody foresaw is in the log, and ends no session', async () => {
  const unforeseen = fileURLToPath(new URL('testing/unforeseen.ts', import.meta.url))
  const gateway = bench.start({}, ['--expose-gc', '--import', unforeseen])
  const client = bench.ssh((await gateway.ready()).sshPort, ['-tt'])
  let shown = ''
  client.stdout?.on('data', (data: Buffer) => (shown += data.toString()))
  await expect.poll(() => shown, { timeout: 10_000 }).toMatch(/\$ $/)
  gateway.kill('SIGUSR2')
  await expect.poll(() => gateway.log + gateway.errors).toContain('thrown in a timer')
  await expect.poll(() => gateway.log + gateway.errors).toContain('closed during garbage collection')
  client.stdin?.write('echo still-h""ere; exit\n')
  await once(client, 'exit')
  expect(shown).toContain('still-here\r\n')
  await expect.poll(() => onlySession()?.end_reason, { timeout: 10_000 }).toBe('target_closed')
})

test('asked to stop, the gateway tells the person, waits, and leaves nothing behind', async () => {
  const gateway = bench.start()
  const client = bench.ssh((await gateway.ready()).sshPort, ['-tt'])
  let shown = ''
  client.stdout?.on('data', (data: Buffer) => (shown += data.toString()))
  await expect.poll(() => shown, { timeout: 10_000 }).toMatch(/\$ $/)
  gateway.kill('SIGTERM')
  await expect.poll(() => shown, { timeout: 5000 }).toContain('this session ends in 8 seconds')
  client.stdin?.write('exit\n')
  expect((await gateway.ended).code).toBe(0)
  const session = onlySession()
  expect(session).toMatchObject({ is_finished: true, end_reason: 'target_closed' })
  expect(recordingOf(session?.id ?? '')?.finished).toBeTruthy()
  expect(gateway.log).not.toContain('unhandled rejection')
})

test('a second gateway on the folder of a running one says so and ends; sessions and recordings of the first go on', async () => {
  const first = bench.start()
  const client = bench.ssh((await first.ready()).sshPort, ['-tt'])
  let shown = ''
  client.stdout?.on('data', (data: Buffer) => (shown += data.toString()))
  await expect.poll(() => shown, { timeout: 10_000 }).toMatch(/\$ $/)
  const second = bench.start()
  expect(await second.ended).toEqual({
    code: 1,
    errors: `Another gateway (process ${first.child.pid}) uses this folder: ${join(bench.folder, 'gateway')}\n`,
  })
  client.stdin?.write('echo still-h""ere; exit\n')
  await once(client, 'exit')
  expect(shown).toContain('still-here\r\n')
  const session = onlySession()
  await expect.poll(() => session?.end_reason, { timeout: 10_000 }).toBe('target_closed')
  await expect.poll(() => recordingOf(session?.id ?? '')?.finished, { timeout: 10_000 }).toBeTruthy()
  expect(await bench.server.outputText(session?.id ?? '')).toContain('still-here\r\n')
  // Killed, it leaves the folder free at once: of those that come then, one has it.
  first.kill('SIGKILL')
  await first.ended
  const next = [bench.start(), bench.start()]
  const refused = await Promise.race(next.map(({ ended }) => ended))
  expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining('uses this folder') })
  await Promise.any(next.map((gateway) => gateway.ready()))
})

test('what is wrong with the configuration is said in one line, with exit code 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : 0
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-faults-'))
  await writeFile(join(folder, 'file'), '')
  const cases: [NodeJS.ProcessEnv, RegExp][] = [
    [{ SALLYPORT_SSH: `127.0.0.1:${port}` }, /^SALLYPORT_SSH: cannot listen on .*choose another.*\n$/],
    [{ SALLYPORT_GATEWAY_HTTP: `127.0.0.1:${port}` }, /^SALLYPORT_GATEWAY_HTTP: cannot listen.*\n$/],
    [{ SALLYPORT_DATA: join(folder, 'file') }, /^SALLYPORT_DATA: .* cannot be written.*\n$/],
    [{ SALLYPORT_API: 'nonsense' }, /^SALLYPORT_API must be .*\n$/],
    [{ SALLYPORT_BOOTSTRAP_TOKEN: 'wrong' }, /^The server refused the registration secret.*\n$/],
  ]
  const ends = await Promise.all(
    cases.map(
      ([environment], at) => bench.start({ SALLYPORT_DATA: join(folder, String(at)), ...environment }).ended,
    ),
  )
  for (const [at, [, sentence]] of cases.entries()) {
    expect(ends[at]?.errors).toMatch(sentence)
    expect(ends[at]?.code).toBe(1)
  }
  taken.close()
  await rm(folder, { recursive: true })
})
