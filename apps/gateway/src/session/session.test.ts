import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeMark, frameType, headerOf, type RecordingMark } from '@sallyport/contract/recording'
import { exec, shell, TestClient } from '../testing/client.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const onBooks = (id: string) => bench.server.sessions.get(id)
const finished = (id: string) => expect.poll(() => bench.server.recordings.get(id)?.finished).toBeTruthy()

async function marks(id: string): Promise<RecordingMark[]> {
  const frames = await bench.server.frames(id)
  return frames
    .filter((frame) => frame.type === frameType.mark)
    .map((frame) => decodeMark(frame.payload))
    .filter((mark) => mark !== undefined)
}

test('a shell works, is recorded whole and ends on the books with its reason', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  client.type('echo $((40+2)) ünïcödé; exit 3\n')
  expect(await client.exited).toEqual({ kind: 'status', code: 3 })
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
  expect(client.text).toContain('42 ünïcödé')
  await expect.poll(() => onBooks(session.id)?.is_finished).toBe(true)
  expect(onBooks(session.id)).toMatchObject({
    end_reason: 'target_closed',
    is_success: true,
    user: 'ANN(ann)',
    type: 'normal',
    remote_addr: '127.0.0.9',
  })
  await finished(session.id)
  expect((await bench.server.outputBytes(session.id)).equals(client.output)).toBe(true)
  expect((await marks(session.id)).at(-1)).toEqual({ kind: 'end', reason: 'target_closed', detail: '' })
  expect(headerOf(await bench.server.frames(session.id))).toEqual({ kind: 'terminal', version: 1 })
})

test('a session whose server is held up for a while goes on, and all of it arrives afterwards', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  client.type('echo fi""rst\n')
  await expect.poll(() => client.text).toContain('first')
  bench.server.busy = /terminal\/(?:sessions|commands)\//
  const held = () => bench.server.calls.filter((call) => call.includes(`${session.id}/recording/`)).length
  const before = held()
  // The recorder stores a part of its own accord every few seconds: it is offered more than once.
  await expect.poll(held).toBeGreaterThan(before + 2)
  client.type('echo sec""ond\n')
  await expect.poll(() => client.text).toContain('second')
  client.type('exit 3\n')
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
  bench.server.busy = undefined
  await finished(session.id)
  await expect.poll(() => onBooks(session.id)?.end_reason).toBe('target_closed')
  expect((await bench.server.outputBytes(session.id)).equals(client.output)).toBe(true)
  await expect
    .poll(() =>
      bench.server.commands.filter((one) => one['session'] === session.id).map((one) => one['input']),
    )
    .toEqual(['echo fi""rst', 'echo sec""ond', 'exit 3'])
})

test('a command has its exit status, separate errors, and hashes of both directions on record', async () => {
  const client = exec('cat; echo oops >&2; exit 7').collect()
  const session = bench.open(client)
  const input = randomBytes(3_000_000)
  client.stdin.end(input)
  expect(await client.exited).toEqual({ kind: 'status', code: 7 })
  await session.done
  expect(client.output.equals(input)).toBe(true)
  expect(client.errorOutput).toBe('oops\n')
  await finished(session.id)
  const mebibyte = 1024 * 1024
  expect((await marks(session.id)).filter((mark) => mark.kind.startsWith('exec'))).toEqual([
    { kind: 'exec_start', command: 'cat; echo oops >&2; exit 7' },
    {
      kind: 'exec_end',
      exit: { kind: 'status', code: 7 },
      stdin: { bytes: input.length, sha256: sha256(input), recorded_bytes: 0 },
      stdout: { bytes: input.length, sha256: sha256(input), recorded_bytes: mebibyte },
      stderr: { bytes: 5, sha256: sha256(Buffer.from('oops\n')), recorded_bytes: 5 },
    },
  ])
  expect((await bench.server.outputBytes(session.id)).equals(input.subarray(0, mebibyte))).toBe(true)
  expect(onBooks(session.id)).toMatchObject({ type: 'command' })
  expect(headerOf(await bench.server.frames(session.id))).toEqual({ kind: 'command', version: 1 })
})

test('a command with a terminal is recorded as what was seen, and on the list of commands', async () => {
  const client = new TestClient({
    command: 'test -t 0 && echo on-a-terminal; exit 4',
    terminal: { term: 'xterm', cols: 80, rows: 24 },
  }).collect()
  const session = bench.open(client)
  expect(await client.exited).toEqual({ kind: 'status', code: 4 })
  await session.done
  await finished(session.id)
  expect((await bench.server.outputBytes(session.id)).toString()).toBe('on-a-terminal\r\n')
  expect(onBooks(session.id)).toMatchObject({ type: 'normal' })
  await expect
    .poll(() => bench.server.commands.find((command) => command.session === session.id))
    .toMatchObject({ input: client.command, output: 'on-a-terminal' })
})

test('an administrator ends a session at once, and the person is told who it was and why', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  await expect.poll(() => session.state).toBe('live')
  const before = performance.now()
  const task = bench.server.kill(session.id, { terminated_by: 'Eve(eve)', comment: 'maintenance' })
  await client.exited
  await expect.poll(() => onBooks(session.id)?.is_finished, { interval: 10 }).toBe(true)
  expect(performance.now() - before).toBeLessThan(1000)
  expect(client.notices).toEqual(['This session was ended by Eve(eve): maintenance'])
  expect(onBooks(session.id)).toMatchObject({ end_reason: 'killed', end_detail: 'Eve(eve): maintenance' })
  await expect.poll(() => bench.server.finishedTasks).toContain(task)
  await finished(session.id)
  expect(await bench.server.outputText(session.id)).toContain('This session was ended by Eve(eve)')
})

test('what an administrator says when ending a session is words, and moves nothing on the person’s terminal', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  await expect.poll(() => session.state).toBe('live')
  bench.server.kill(session.id, {
    terminated_by: 'Eve(eve)',
    comment: 'bye\u001b]52;c;Zm9v\u0007\nnow\u202e',
  })
  await client.exited
  expect(client.notices).toEqual(['This session was ended by Eve(eve): bye]52;c;Zm9v now'])
})

test.each([
  ['disabled', 'user_disabled', 'your user account was disabled by Eve(eve)'],
  ['deleted', 'user_deleted', 'your user account was deleted by Eve(eve)'],
  ['removed from the organization', 'user_removed', 'you were removed from the organization by Eve(eve)'],
])('a person who is %s is disconnected and told that', async (_what, reason, told) => {
  const client = shell().collect()
  const session = bench.open(client)
  await expect.poll(() => session.state).toBe('live')
  bench.server.kill(session.id, { terminated_by: 'Eve(eve)', reason })
  expect(await session.done).toMatchObject({ reason, detail: 'Eve(eve)' })
  await client.exited
  expect(client.notices).toEqual([`Disconnected: ${told}`])
})

test('a person who leaves ends the session', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  await expect.poll(() => session.state).toBe('live')
  client.leave()
  expect(await session.done).toMatchObject({ reason: 'client_left' })
  await expect.poll(() => onBooks(session.id)?.end_reason).toBe('client_left')
})

test('a session that came of an approval says so as it is put on the books', async () => {
  const ticket = '00000000-0000-0000-0000-00000000000a'
  const client = shell().collect()
  const token = bench.server.createToken(bench.user, bench.host)
  const session = bench.gateway.openSession({
    client,
    login_from: 'WT',
    user_id: bench.user.id,
    remote_addr: '127.0.0.9',
    language: 'en',
    ask: async () => ({
      grant: { ...(await bench.gateway.api.tokenSecret(token.id, 'en')), from_ticket: ticket },
    }),
  })
  await expect.poll(() => session.state).toBe('live')
  expect(onBooks(session.id)).toMatchObject({ ticket })
  client.leave()
  await expect.poll(() => onBooks(session.id)?.end_reason).toBe('client_left')
})

test('a person who leaves while it connects leaves nothing behind', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  client.leave()
  expect(await session.done).toMatchObject({ reason: 'client_left' })
  expect(bench.gateway.sessions.get(session.id)).toBeUndefined()
})

test('a target that refuses the account is named, in a sentence', async () => {
  const host = bench.server.addHost(bench.sshd.host, bench.sshd.port, {
    username: bench.sshd.username,
    secret: bench.sshd.strangerKey,
    secret_type: 'ssh_key',
  })
  bench.server.allow(bench.user, host)
  const token = bench.server.createToken(bench.user, host)
  const client = shell().collect()
  const session = bench.gateway.openSession({
    client,
    login_from: 'WT',
    user_id: bench.user.id,
    remote_addr: '127.0.0.9',
    language: 'en',
    ask: async () => ({ grant: await bench.gateway.api.tokenSecret(token.id, 'en') }),
  })
  const address = `${bench.sshd.host}:${bench.sshd.port}`
  expect(await session?.done).toMatchObject({ reason: 'target_failed' })
  expect(client.notices[0]).toBe(
    `Connecting failed: ${address} refused the account: its password or key is wrong`,
  )
  await expect
    .poll(() => onBooks(session?.id ?? ''))
    .toMatchObject({ is_finished: true, is_success: false, end_reason: 'target_failed' })
})

test('a used or unknown token is refused before anything is connected', async () => {
  const client = shell().collect()
  const session = bench.gateway.openSession({
    client,
    login_from: 'WT',
    user_id: bench.user.id,
    remote_addr: '127.0.0.9',
    language: 'ja',
    ask: async () => ({
      grant: await bench.gateway.api.tokenSecret('00000000-0000-0000-0000-000000000001', 'ja'),
    }),
  })
  expect(await session?.done).toMatchObject({ reason: 'refused' })
  expect(client.notices[0]).toContain('アクセスが拒否されました')
  expect(onBooks(session?.id ?? '')).toBeUndefined()
})

const beginOf = (client: TestClient) => {
  const { gateway, user, host } = bench
  const who = { user: user.id, asset: host.id, account: host.accounts[0]?.name ?? '' }
  return gateway.openSession({
    client,
    login_from: 'ST',
    user_id: user.id,
    remote_addr: '127.0.0.9',
    language: 'en',
    ask: (opening) =>
      gateway.beginSession({ ...opening, ...who, protocol: 'ssh', connect_method: 'ssh' }, 'en'),
  })
}

test('a session that is asked for and put on the books in one call works, and ends there', async () => {
  const client = shell().collect()
  const from = bench.server.calls.length
  const session = beginOf(client)
  client.type('echo one-$((1+1)); exit\n')
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
  expect(client.text).toContain('one-2')
  await finished(session.id)
  await expect.poll(() => onBooks(session.id)?.end_reason).toBe('target_closed')
  const asked = bench.server.calls.slice(from)
  expect(asked[0]).toBe('POST terminal/sessions/begin/')
  expect(asked).not.toContain('POST terminal/sessions/')
  expect(asked.join()).not.toMatch(/connection-token|host-keys\/accepted/)
})

test('a session whose beginning is never answered does not stay open on the books', async () => {
  bench.server.loses = /sessions\/begin/
  const client = shell().collect()
  const session = beginOf(client)
  expect(await session.done).toMatchObject({ reason: 'refused' })
  bench.server.loses = undefined
  await expect.poll(() => onBooks(session.id)?.end_reason).toBe('internal_error')
})

test('a person who leaves before the session is granted leaves none open on the books', async () => {
  const client = shell().collect()
  const session = beginOf(client)
  client.leave()
  expect(await session.done).toMatchObject({ reason: 'client_left' })
  await expect.poll(() => onBooks(session.id)?.end_reason).toBe('client_left')
})

test('invalid UTF-8 goes through and into the recording unharmed', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  client.type(String.raw`printf '\377\376\200abc\303'; exit` + '\n')
  await session.done
  await finished(session.id)
  expect(client.output.includes(Buffer.from([0xff, 0xfe, 0x80, 0x61, 0x62, 0x63, 0xc3]))).toBe(true)
  expect((await bench.server.outputBytes(session.id)).equals(client.output)).toBe(true)
})
