import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Attempt, Judge } from '../session/gate.ts'
import { exec, shell, TestClient } from '../testing/client.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})
afterEach(() => {
  bench.gateway.judgeOf = () => undefined
})

const judgedBy = (judge: Judge) => (bench.gateway.judgeOf = () => judge)
const recorded = (id: string) =>
  bench.server.commands
    .filter((command) => command.session === id)
    .map(({ input, output }) => [input, output])

async function openShell(host = bench.host) {
  const client = shell().collect()
  const session = bench.open(client, { host })
  const ready = () => expect.poll(() => client.tail).toMatch(/\$ \s*$/)
  await ready()
  return { client, session, ready }
}

/** Passes everything, but commands with `held` in them only when let go. */
function holding() {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const seen: (string | undefined)[] = []
  judgedBy(async ({ text }) => {
    seen.push(text)
    if (text?.includes('held')) await promise
    return { kind: 'pass' }
  })
  return { seen, letGo }
}

test('a command is held while it is judged; what is typed meanwhile waits, bounded, and comes after it in order', async () => {
  const { seen, letGo } = holding()
  const { client, session } = await openShell()
  client.type('echo held-$((1+1))\recho then-$((1+2))\r')
  await expect.poll(() => seen).toEqual(['echo held-$((1+1))'])
  const waiting = `: ${'x'.repeat(500)}\r`.repeat(500)
  client.type(waiting)
  await expect.poll(() => client.stdin.writableNeedDrain).toBe(true)
  expect(client.text).not.toContain('held-2')
  expect(client.text).not.toContain('then')
  letGo()
  await expect.poll(() => client.text).toContain('then-3')
  expect(client.text.indexOf('held-2\r\n')).toBeGreaterThan(0)
  expect(client.text.indexOf('held-2\r\n')).toBeLessThan(client.text.indexOf('then-3\r\n'))
  expect(seen.slice(0, 2)).toEqual(['echo held-$((1+1))', 'echo then-$((1+2))'])
  session.end({ reason: 'killed', detail: '' })
})

test('a refused command does not run, the person is told why, and the books have it; the next one runs', async () => {
  judgedBy(async ({ text }) =>
    text?.includes('forbidden') ? { kind: 'refuse', sentence: 'Not this one' } : { kind: 'pass' },
  )
  const { client, session, ready } = await openShell()
  client.type('touch for; echo forbidden-$((1+1))')
  // the cursor stands in the middle of the line
  client.type('\x1b[D\x1b[D\r')
  await expect.poll(() => client.text).toContain('Not this one')
  await ready()
  client.type('echo next-$((1+2)); ls for\rexit\r')
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
  expect(client.text).toContain('next-3\r\n')
  expect(client.text).toContain('No such file')
  expect(client.text).not.toContain('forbidden-2')
  await expect
    .poll(() => recorded(session.id).map(([input]) => input))
    .toEqual(['touch for; echo forbidden-$((1+1))', 'echo next-$((1+2)); ls for', 'exit'])
  expect(recorded(session.id)[0]?.[1]).toBe('Not this one')
  await expect.poll(() => bench.server.recordings.get(session.id)?.finished).toBeTruthy()
  expect(await bench.server.outputText(session.id)).toContain('Not this one')
})

describe('on a network device, where Ctrl-C is no way to give a line up', () => {
  /** A shell that takes these keys only, as devices do; Ctrl-C and others have it run something. */
  async function openDevice(name: string, setUp: string[]) {
    judgedBy(async ({ text, readings }) =>
      [text, ...readings].some((reading) => reading?.includes('forbidden'))
        ? { kind: 'refuse', sentence: 'Not this one' }
        : { kind: 'pass' },
    )
    const { username, privateKey: secret, host, port } = bench.sshd
    const device = bench.server.addHost(host, port, { username, secret, secret_type: 'ssh_key' }, name)
    device.platform = { name, category: 'device', type: 'general' }
    bench.server.allow(bench.user, device)
    const opened = await openShell(device)
    const all = ['stty -isig', runs('c', 'mode'), ...setUp, `PS1='<dev>'`]
    opened.client.type(`${all.join('; ')}\r`)
    await expect.poll(() => opened.client.tail).toMatch(/<dev>$/)
    return opened
  }
  const runs = (key: string, what: string) => `bind '"\\C-${key}": "echo ${what}-$((6*7))\\C-m"'`
  const others = [
    'stty kill undef',
    runs('u', 'hotkey'),
    `bind 'set keyseq-timeout 50'`,
    `bind '"\\C-x": kill-whole-line'`,
  ]

  test.each([
    ['Cisco', 'as most of them take it', []],
    ['My-H3C', 'as those of H3C take it', others],
    ['Huawei', 'as those of Huawei take it', others],
  ])('a refused line of %s is erased %s, and a prompt follows', async (name, _how, setUp) => {
    const { client, session } = await openDevice(name, setUp)
    client.type('echo forbidden-$((1+1))\x1b[D\x1b[D\r')
    await expect.poll(() => client.tail).toMatch(/Not this one[^]*<dev>$/)
    client.type('echo next-$((1+2))\r')
    await expect.poll(() => client.text).toContain('next-3')
    expect(client.text).not.toMatch(/forbidden-2|mode-42|hotkey-42/)
    session.end({ reason: 'killed', detail: '' })
    await session.done
    await expect
      .poll(() => recorded(session.id).map(([input]) => input))
      .toEqual([expect.stringContaining('stty'), 'echo forbidden-$((1+1))', 'echo next-$((1+2))'])
  })

  test('a refused line that the device keeps does not run at the next Enter, nor does what is written behind it', async () => {
    const { client, session } = await openDevice('Cisco', ['stty kill undef', `bind '"\\C-u": self-insert'`])
    const refusals = () => client.text.split('Not this one').length - 1
    client.type('echo forbidden-$((1+1)) \r')
    await expect.poll(refusals).toBe(1)
    client.type('\r')
    await expect.poll(refusals).toBe(2)
    client.type('more\r')
    await expect.poll(refusals).toBe(3)
    expect(client.text).not.toContain('forbidden-2')
    session.end({ reason: 'killed', detail: '' })
    await session.done
  })
})

test('a command is judged as it stands on the screen, taken from history or completed', async () => {
  const { seen, letGo } = holding()
  letGo()
  const { client, session, ready } = await openShell()
  client.type('echo one\r')
  await expect.poll(() => client.text).toContain('\rone\r\n')
  await ready()
  client.type('\x1b[A-more\r')
  await expect.poll(() => client.text).toContain('\rone-more\r\n')
  await ready()
  client.type('cd /usr/shar\t\r')
  await expect.poll(() => seen).toEqual(['echo one', 'echo one-more', 'cd /usr/share/'])
  session.end({ reason: 'killed', detail: '' })
})

test('what is not shown is judged by what was typed, and kept nowhere', async () => {
  const seen: Attempt[] = []
  judgedBy(async (attempt) => {
    seen.push(attempt)
    return { kind: 'pass' }
  })
  const { client, session, ready } = await openShell()
  client.type('read -sp "Password: " x; echo ${#x}\r')
  await expect.poll(() => client.text).toMatch(/Password: $/)
  client.type('hunter2\r')
  await expect.poll(() => client.text).toContain('7\r\n')
  await ready()
  expect(seen.map(({ text }) => text)).toEqual(['read -sp "Password: " x; echo ${#x}', undefined])
  expect(seen[1]?.readings).toEqual(['hunter2'])
  session.end({ reason: 'killed', detail: '' })
})

test('a judge may ask the person, and have something else run', async () => {
  judgedBy(async ({ text }, { ask }) => {
    if (text !== 'shutdown') return { kind: 'pass' }
    const answer = await ask('Really? (y/n)')
    return answer === 'y' ? { kind: 'replace', text: 'echo would-$((1+1))' } : { kind: 'pass' }
  })
  const { client, session } = await openShell()
  client.type('shutdown\r')
  await expect.poll(() => client.notices).toEqual(['Really? (y/n)'])
  client.type('y')
  await expect.poll(() => client.text).toContain('would-2\r\n')
  client.type('exit\r')
  await session.done
  await expect
    .poll(() => recorded(session.id).map(([input]) => input))
    .toEqual(['echo would-$((1+1))', 'exit'])
})

test('the end of the session ends what is held', async () => {
  const aborted: boolean[] = []
  const held = Promise.withResolvers<void>()
  judgedBy((_attempt, { signal }) => {
    signal.addEventListener('abort', () => aborted.push(true))
    held.resolve()
    return new Promise(() => {})
  })
  const { client, session } = await openShell()
  client.type('echo never\r')
  await held.promise
  bench.server.kill(session.id, { terminated_by: 'Eve(eve)' })
  expect(await session.done).toMatchObject({ reason: 'killed' })
  expect(aborted).toEqual([true])
  expect(client.text).not.toContain('\rnever')
})

test('what cannot be judged is refused', async () => {
  judgedBy(() => Promise.reject(new Error('the rules are away')))
  const { client, session } = await openShell()
  client.type('echo never-$((1+1))\r')
  await expect.poll(() => client.text).toContain('could not be checked')
  session.end({ reason: 'killed', detail: '' })
  expect(client.text).not.toContain('never-2')
})

test.each([
  ['without a terminal', undefined],
  ['with one', { term: 'xterm', cols: 80, rows: 24 }],
])('a refused command %s never reaches the target, and is on the books', async (_name, terminal) => {
  judgedBy(async () => ({ kind: 'refuse', sentence: 'Not this one' }))
  const client = new TestClient({ command: 'echo never', terminal }).collect()
  const session = bench.open(client)
  expect(await session.done).toMatchObject({ reason: 'command_refused' })
  expect(await client.exited).toEqual({ kind: 'status', code: 255 })
  expect(client.text).toBe('')
  expect(client.notices).toEqual(['The command was refused: Not this one'])
  await expect
    .poll(() => bench.server.sessions.get(session.id))
    .toMatchObject({ end_reason: 'command_refused', is_success: false })
  await expect.poll(() => recorded(session.id)).toEqual([['echo never', 'Not this one']])
})

test.each([
  ['a command that runs what it is sent', { command: 'bash -s' }],
  ['a shell without a terminal', {}],
  ['a shell behind a long command', { command: `true${' '.repeat(5000)}; bash -s` }],
])(
  'a script whose line is refused ends at once with 255, and what ran before is shown: %s',
  async (_what, how) => {
    judgedBy(async ({ readings }) =>
      readings.some((line) => line.includes('forbidden'))
        ? { kind: 'refuse', sentence: 'Not this one' }
        : { kind: 'pass' },
    )
    for (const [script, shown] of [
      ['echo forbidden\n', ''],
      ['sleep 0.3; echo one\necho forbidden\necho last\n', 'one\n'],
      ['echo one\necho forbidden', 'one\n'],
      // the shell drops the NUL
      ['echo one\necho for\0bidden\n', 'one\n'],
    ] as const) {
      const client = new TestClient(how).collect()
      const session = bench.open(client)
      client.stdin.end(script)
      expect(await session.done).toMatchObject({ reason: 'target_closed' })
      expect(await client.exited).toEqual({ kind: 'status', code: 255 })
      expect(client.text).toBe(shown)
      expect(client.notices).toEqual(['Not this one'])
    }
  },
)

test('a shell without a terminal is judged line by line, a command’s input is not', async () => {
  judgedBy(async ({ text }) => {
    if (text?.includes('forbidden')) return { kind: 'refuse', sentence: 'Not this one' }
    return text === 'echo old' ? { kind: 'replace', text: 'echo new' } : { kind: 'pass' }
  })
  const script = new TestClient({}).collect()
  const session = bench.open(script)
  // The end of the input is nobody's here: the refused line ends what the shell is sent.
  script.stdin.write('echo old\nsleep 0.3; echo one\necho forbidden\necho last\n')
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
  expect(script.text).toBe('new\none\n')
  expect(script.notices).toEqual(['Not this one'])
  expect(await script.exited).toEqual({ kind: 'status', code: 255 })
  const cat = exec('cat').collect()
  const other = bench.open(cat)
  cat.stdin.end('forbidden\n')
  await other.done
  expect(cat.text).toBe('forbidden\n')
})
