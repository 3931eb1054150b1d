import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exec, shell, TestClient } from '../../../testing/client.ts'
import { Emulation } from '../screen/emulation.ts'
import { startTestBench, type TestBench } from '../../../testing/gateway.ts'
import type { Command, Unread } from '../screen/messages.ts'
import { CommandReader } from './reader.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})

const recorded = (id: string) => bench.server.commands.filter((command) => command.session === id)
const inputs = (id: string) => recorded(id).map((command) => command.input)

/** A shell at its prompt; `ready` waits until the output ends with the prompt again. */
async function openShell(
  cols = 80,
  rows = 24,
): Promise<{ client: TestClient; id: string; ready: () => Promise<void> }> {
  const client = shell(cols, rows).collect()
  const session = bench.open(client)
  let seen = 0
  // A new one: that of the line before stands there until the first key of the next is shown.
  const ready = async () => {
    await expect.poll(() => client.text.slice(seen)).toMatch(/(?:^|\n)[^]*\$ \s*$/)
    seen = client.text.length
  }
  await ready()
  return { client, id: session.id, ready }
}

async function typeSlowly(client: TestClient, text: string): Promise<void> {
  for (const key of text) {
    client.type(key)
    await sleep(3)
  }
}

test('what is typed, edited, recalled and completed is recorded as it was run', async () => {
  const { client, id, ready } = await openShell()
  await typeSlowly(client, 'echo one\r')
  await ready()
  // a mistake corrected in the middle: left twice, erase, insert
  await typeSlowly(client, 'echo twXo')
  for (const key of ['\x1b[D', '\x7f']) {
    client.type(key)
    await sleep(10)
  }
  await typeSlowly(client, '\r')
  await ready()
  client.type('\x1b[A') // history
  await sleep(30)
  await typeSlowly(client, '-again\r')
  await ready()
  await typeSlowly(client, 'cd /usr/shar\t') // completion
  await sleep(100)
  await typeSlowly(client, '\r')
  await ready()
  await typeSlowly(client, 'ls nothing-here')
  client.type('\x03') // given up
  await sleep(50)
  await typeSlowly(client, 'echo 漢字 ö\r')
  await ready()
  client.type('exit\r')
  await expect
    .poll(() => inputs(id))
    .toEqual(['echo one', 'echo two', 'echo two-again', 'cd /usr/share/', 'echo 漢字 ö', 'exit'])
  expect(recorded(id)[0]).toMatchObject({ output: 'one', user: 'ANN(ann)', risk_level: 0 })
})

test('pasted lines are one command each, a bracketed paste is one', async () => {
  const { client, id, ready } = await openShell()
  client.type('echo a1\recho b2\recho c3\r')
  await expect.poll(() => client.text).toMatch(/\rc3\r\n/)
  await ready()
  client.type('\x1b[200~echo d4\necho e5\x1b[201~\r')
  await expect.poll(() => client.text).toMatch(/\re5\r\n|d4\r\ne5\r\n/)
  await ready()
  client.type('exit\r')
  await expect.poll(() => inputs(id)).toEqual(['echo a1', 'echo b2', 'echo c3', 'echo d4\necho e5', 'exit'])
})

test('a line longer than the window, and one on a cleared screen, come out whole', async () => {
  const { client, id, ready } = await openShell(40)
  const long = `echo ${'0123456789'.repeat(8)}`
  await typeSlowly(client, `${long}\r`)
  await ready()
  await typeSlowly(client, 'echo cle')
  client.type('\x0c')
  await sleep(50)
  await typeSlowly(client, 'ared\r')
  await ready()
  client.type('exit\r')
  await expect.poll(() => inputs(id)).toEqual([long, 'echo cleared', 'exit'])
})

test('of what is typed at a prompt without echo only the fact is on record', async () => {
  const { client, id, ready } = await openShell()
  await typeSlowly(client, 'read -sp "Password: " x\r')
  await expect.poll(() => client.text).toMatch(/Password: $/)
  await typeSlowly(client, 'hunter2\r')
  await ready()
  client.type('exit\r')
  await expect
    .poll(() => inputs(id))
    .toEqual(['read -sp "Password: " x', '(entered without being shown: 1)', 'exit'])
  await expect.poll(() => bench.server.recordings.get(id)?.finished).toBeTruthy()
  for (const frame of await bench.server.frames(id)) expect(frame.payload.toString()).not.toContain('hunter2')
})

test('a plain shell without line editing is read too', async () => {
  const { client, id } = await openShell()
  await typeSlowly(client, 'exec dash\r')
  await expect.poll(() => client.text).toMatch(/exec dash\r\n[^]*\$ $/)
  await typeSlowly(client, 'echo from-dash\r')
  await expect.poll(() => client.text).toContain('\r\nfrom-dash\r\n')
  client.type('echo x1\recho x2\r')
  await expect.poll(() => client.text).toMatch(/\$ x2\r\n|\r\nx2\r\n/)
  await sleep(50)
  client.type('exit\r')
  await expect.poll(() => inputs(id)).toEqual(['exec dash', 'echo from-dash', 'echo x1', 'echo x2', 'exit'])
})

test('keys in a full-screen program are not commands', async () => {
  const { client, id, ready } = await openShell()
  await typeSlowly(client, 'printf "\\033[?1049h"; read -r x; printf "\\033[?1049l"\r')
  await expect.poll(() => client.text).toContain('\x1b[?1049h')
  await typeSlowly(client, ':wq not a command\r')
  await ready()
  await typeSlowly(client, 'echo after\r')
  await ready()
  client.type('exit\r')
  await expect
    .poll(() => inputs(id).slice(1))
    .toEqual(['(entered in a full-screen program and not read: 1)', 'echo after', 'exit'])
})

test('a shell that was asked for as a command with a terminal is read as any other', async () => {
  const client = new TestClient({
    command: 'bash',
    terminal: { term: 'xterm', cols: 80, rows: 24 },
  }).collect()
  const session = bench.open(client)
  await expect.poll(() => client.tail).toMatch(/\$ $/)
  await typeSlowly(client, 'echo inside\r')
  await expect.poll(() => client.text).toContain('\rinside\r\n')
  client.type('exit\r')
  await session.done
  await expect.poll(() => inputs(session.id)).toEqual(['echo inside', 'exit', 'bash'])
})

test('a window of one column and one line hides nothing', async () => {
  const { client, id, ready } = await openShell(1, 1)
  await typeSlowly(client, 'echo small\r')
  await ready()
  client.type('exit\r')
  await expect.poll(() => inputs(id)).toEqual(['echo small', 'exit'])
})

test('a shell inside the alternate screen is read, and so is one in tmux', async () => {
  const { client, id, ready } = await openShell()
  await typeSlowly(client, 'printf "\\033[?1049h"\r')
  await ready()
  await typeSlowly(client, 'echo hidden\r')
  await ready()
  await typeSlowly(client, 'printf "\\033[?1049l"\r')
  await ready()
  await typeSlowly(client, `tmux -L ${id} -f /dev/null new "bash --norc"\r`)
  await expect.poll(() => client.tail).toMatch(/\$ /)
  await expect.poll(() => client.text).toContain('\x1b[?1049h')
  await sleep(500)
  await typeSlowly(client, 'echo in-tmux\r')
  await expect.poll(() => client.text.split('in-tmux').length).toBeGreaterThan(2)
  await sleep(200)
  await typeSlowly(client, 'exit\r')
  await expect.poll(() => client.text).toMatch(/\[exited\][^]*\$ /)
  client.type('exit\r')
  await expect.poll(() => inputs(id)).toContain('exit')
  expect(inputs(id)).toEqual(expect.arrayContaining(['echo hidden', 'echo in-tmux']))
})

test('lines of a shell that shows nothing are rows that say so', async () => {
  const { client, id } = await openShell()
  await typeSlowly(client, 'stty -echo; exec dash\r')
  await sleep(300)
  for (const line of [': one', ': two', 'exit']) {
    await typeSlowly(client, `${line}\r`)
    await sleep(50)
  }
  await expect.poll(() => bench.server.sessions.get(id)?.is_finished).toBe(true)
  const [first, ...rest] = inputs(id)
  expect(first).toBe('stty -echo; exec dash')
  expect(rest.length).toBeGreaterThan(0)
  for (const row of rest) expect(row).toMatch(/^\(entered without being shown: \d\)$/)
})

test('after a flood the commands are there, and none is held up by it', async () => {
  const { client, id } = await openShell()
  await typeSlowly(client, 'seq 1 3000000 | head -c 20000000\r')
  const isOver = () => client.outputBytes > 20_000_000 && client.tail.endsWith('$ ')
  await expect.poll(isOver, { timeout: 50_000 }).toBe(true)
  await typeSlowly(client, 'echo after-flood\r')
  await expect.poll(() => client.tail).toMatch(/\rafter-flood\r\n[^]*\$ $/)
  client.type('exit\r')
  await expect.poll(() => bench.server.sessions.get(id)?.is_finished).toBe(true)
  await expect
    .poll(() => inputs(id))
    .toEqual(['seq 1 3000000 | head -c 20000000', 'echo after-flood', 'exit'])
})

test('a line some of whose output was left out is recorded as it stands there, not as what was typed since', async () => {
  const emulation = new Emulation({ cols: 80, rows: 24 })
  const found: (Command | Unread)[] = []
  const reader = new CommandReader(emulation, (one) => found.push(one))
  const write = (text: string) => emulation.write(Buffer.from(text))
  await write('\x1b[?2004hann@box:~$ ')
  for (const key of 'echo one') {
    reader.input(Buffer.from(key))
    if (key === ' ') await emulation.gap(Buffer.of())
    await write(key)
  }
  reader.input(Buffer.from('\r'))
  await write('\r\n\x1b[?2004l\rone\r\n')
  reader.close()
  expect(found).toMatchObject([{ input: 'echo one' }])
})

test('a line whose beginning is lost with the screen is read off all its row, never its end alone', async () => {
  const emulation = new Emulation({ cols: 80, rows: 24 })
  const found: (Command | Unread)[] = []
  const reader = new CommandReader(emulation, (one) => found.push(one))
  reader.goOnUnknowing()
  const write = (text: string) => emulation.write(Buffer.from(text))
  await write('(the screen was lost)\r\n$ echo f')
  for (const key of 'rom') {
    reader.input(Buffer.from(key))
    await write(key)
  }
  expect(reader.line()).toMatchObject({ shown: '$ echo from', typed: undefined })
  reader.input(Buffer.from('\r'))
  await write('\r\nfrom\r\n$ ')
  reader.close()
  expect(found).toMatchObject([{ input: '$ echo from' }])
})

test('a command without a shell is recorded with the beginning of its output', async () => {
  const client = exec('echo hello; seq 1 10000').collect()
  const session = bench.open(client)
  client.stdin.end()
  await session.done
  await expect.poll(() => recorded(session.id)).toHaveLength(1)
  expect(recorded(session.id)[0]).toMatchObject({ input: 'echo hello; seq 1 10000' })
  expect(recorded(session.id)[0]?.output).toMatch(/^hello\n1\n2\n/)
})

test('lines entered before the first prompt is known are recorded, a secret that was never shown is not', async () => {
  const emulation = new Emulation({ cols: 80, rows: 24 })
  const found: (Command | Unread)[] = []
  const reader = new CommandReader(emulation, (one) => found.push(one))
  const write = (text: string) => emulation.write(Buffer.from(text))
  for (const line of ['secret', 'echo one', 'echo two']) reader.input(Buffer.from(`${line}\r`))
  const prompt = '\x1b[?2004hann@box:~$ '
  await write(`${prompt}\r\n\x1b[?2004l\r`)
  for (const number of ['one', 'two']) await write(`${prompt}echo ${number}\r\n\x1b[?2004l\r${number}\r\n`)
  await write(prompt)
  reader.close()
  expect(found).toMatchObject([
    { unread: 'not_shown', lines: 1 },
    { input: 'echo one', output: 'one' },
    { input: 'echo two', output: 'two' },
  ])
})

test('what is typed ahead is recorded once, before the first prompt and while a command runs; at a prompt nobody knows rather twice', async () => {
  const client = shell(80, 24).collect()
  const session = bench.open(client)
  client.type('echo fi""rst\r')
  await expect.poll(() => client.tail).toMatch(/first[^]*\$ $/)
  client.type('sleep 0.5\r')
  await expect.poll(() => client.tail).toMatch(/sleep 0\.5\r\n/)
  client.type('echo sec""ond\r')
  await expect.poll(() => client.tail).toMatch(/second[^]*\$ $/)
  client.type("sleep 0.5; PS1='go: '\r")
  await expect.poll(() => client.tail).toMatch(/go: '\r\n/)
  client.type('echo th""ird\r')
  await expect.poll(() => client.tail).toMatch(/third[^]*go: $/)
  client.type('exit\r')
  await session.done
  await expect
    .poll(() => inputs(session.id))
    .toEqual([
      'echo fi""rst',
      'sleep 0.5',
      'echo sec""ond',
      "sleep 0.5; PS1='go: '",
      'echo th""ird',
      'go: echo th""ird',
      'exit',
    ])
})

test.each([
  ['between others', 'echo a""1\r\recho a""2\r', ['echo a""1', 'echo a""2']],
  ['before another', '\recho a""2\r', ['echo a""2']],
  ['over and over', '\r\recho a""1\r\r \r\recho a""2\r', ['echo a""1', 'echo a""2']],
])('an empty line that is typed ahead %s has none recorded twice', async (_where, ahead, lines) => {
  const { client, id, ready } = await openShell()
  client.type('sleep 0.5\r')
  await expect.poll(() => client.tail).toMatch(/sleep 0\.5\r\n/)
  client.type(ahead)
  await expect.poll(() => client.tail).toMatch(/a2\r\n[^]*\$ $/)
  await ready()
  client.type('exit\r')
  await expect.poll(() => inputs(id)).toEqual(['sleep 0.5', ...lines, 'exit'])
})

test('a notice of the gateway above it is no part of a line that nobody entered', async () => {
  const { client, id, ready } = await openShell()
  const session = bench.gateway.sessions.get(id)
  client.type('bind "\\"\\C-t\\":\\"echo bound-\\$((1+1))\\C-m\\""\r')
  await ready()
  session?.tell('a notice')
  client.type('sleep 0.5\r')
  await expect.poll(() => client.tail).toMatch(/sleep 0\.5\r\n/)
  client.type('\x14')
  await expect.poll(() => client.tail).toMatch(/bound-2[^]*\$ $/)
  client.type('exit\r')
  await expect.poll(() => inputs(id)).toContain('echo bound-$((1+1))')
})
