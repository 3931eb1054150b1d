import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { CommandFilter } from '@sallyport/contract/gateway/grants'
import { exec, shell, TestClient } from '../testing/client.ts'
import { filter } from '../testing/filters.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'

let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
})
afterAll(async () => {
  await bench.stop()
})
afterEach(() => {
  bench.server.filters = []
})

const filtered = (...filters: CommandFilter[]) => (bench.server.filters = filters)
const recorded = (id: string) =>
  bench.server.commands
    .filter((command) => command.session === id)
    .map(({ input, output, risk_level }) => [input, output, risk_level])

const alertsOf = (id: string) =>
  bench.server.alerts
    .filter(({ session }) => session === id)
    .map(({ input, risk_level, cmd_filter_acl }) => [input, risk_level, cmd_filter_acl])

async function run(client: TestClient) {
  const session = bench.open(client.collect())
  return { session, outcome: await session.done }
}

test('a forbidden command never reaches the target, the person is told which, and the books have it as dangerous', async () => {
  filtered(filter('reject', String.raw`\btouch\b`))
  const client = exec('touch never; ls')
  const { session, outcome } = await run(client)
  expect(outcome).toMatchObject({ reason: 'command_refused' })
  expect(await client.exited).toEqual({ kind: 'status', code: 255 })
  expect(client.notices).toEqual(['The command was refused: Command `touch` is forbidden'])
  await expect
    .poll(() => recorded(session.id))
    .toEqual([['touch never; ls', 'Command `touch` is forbidden', 5]])
  await expect.poll(() => alertsOf(session.id)).toEqual([['touch never; ls', 5, bench.server.filters[0]?.id]])
  const allowed = exec('ls')
  await run(allowed)
  expect(allowed.text).not.toContain('never')
})

test('the first filter that matches decides: accept ends the search', async () => {
  filtered(filter('accept', '^ls -l$'), filter('reject', 'ls'))
  const passed = exec('ls -l')
  expect((await run(passed)).outcome).toMatchObject({ reason: 'target_closed' })
  expect((await run(exec('ls -la'))).outcome).toMatchObject({ reason: 'command_refused' })
})

test('a filter that is off, or has no patterns, says nothing', async () => {
  filtered(
    filter('reject', 'echo', { is_active: false }),
    filter('reject', '', { command_groups: [] }),
    filter('reject', ''),
  )
  const client = exec('echo said')
  await run(client)
  expect(client.text).toBe('said\n')
})

test('a filter whose pattern cannot be used refuses what comes to it; one that would accept accepts nothing', async () => {
  filtered(filter('accept', '(?=a)'), filter('reject', 'never'))
  const passed = exec('echo said')
  await run(passed)
  expect(passed.text).toBe('said\n')
  filtered(filter('accept', '^ls$'), filter('reject', '(?=a)'))
  const client = exec('echo said')
  await run(client)
  expect(client.notices[0]).toContain('The command filter rejects cannot be used')
  expect((await run(exec('ls'))).outcome).toMatchObject({ reason: 'target_closed' })
})

test('what warns or notifies runs, and is dangerous on the books; a warning is told', async () => {
  filtered(filter('warning', 'warned'), filter('notice', 'noticed'))
  const client = exec('echo warned')
  const { session } = await run(client)
  expect(client.text).toBe('warned\n')
  expect(client.notices[0]).toContain('`warned` is watched')
  await expect.poll(() => recorded(session.id)).toEqual([['echo warned', 'warned\n', 5]])
  const quiet = exec('echo noticed')
  const second = await run(quiet)
  expect(quiet.notices).toEqual([])
  await expect.poll(() => recorded(second.session.id)).toEqual([['echo noticed', 'noticed\n', 5]])
  const [warning, notice] = bench.server.filters
  await expect.poll(() => alertsOf(session.id)).toEqual([['echo warned', 5, warning?.id]])
  await expect.poll(() => alertsOf(second.session.id)).toEqual([['echo noticed', 5, notice?.id]])
})

test('in a terminal the dangerous line alone is dangerous on the books', async () => {
  filtered(filter('warning', 'warned'))
  const client = shell().collect()
  const session = bench.open(client)
  await expect.poll(() => client.tail).toMatch(/\$ \s*$/)
  client.type('echo one\recho warned-$((1+1))\recho three\rexit\r')
  await session.done
  expect(client.text).toContain('warned-2')
  await expect
    .poll(() => recorded(session.id).map(([input, , risk]) => [input, risk]))
    .toEqual([
      ['echo one', 0],
      ['echo warned-$((1+1))', 5],
      ['echo three', 0],
      ['exit', 0],
    ])
})

test.each([
  ['a shell without a terminal', undefined],
  ['a shell that is asked for as a command', 'bash'],
  ['one with words for the script', 'bash -s a b'],
  ['one that is told its options', '/bin/bash -o pipefail -e'],
  ['one in another', `sh -c 'ba""sh'`],
  ['one that is called by its variable', '"$SHELL"'],
  ['one that is called by its variable in braces', '${SHELL}'],
  ['one that opens its input as a script', 'bash /dev/fd/0'],
  ['one that is given its input by number', 'bash<&0'],
])(
  'what %s is sent is judged line by line, and nothing behind a refused line is run',
  async (_what, command) => {
    filtered(filter('reject', String.raw`\btouch\b`))
    const client = new TestClient({ command }).collect()
    const session = bench.open(client)
    client.stdin.write('sleep 0.2; echo one\npri\\\n')
    client.stdin.write('ntf two\nto\\\nuch never\necho three\n')
    expect(await session.done).toMatchObject({ reason: 'target_closed' })
    expect(client.text).toBe('one\ntwo')
    expect(client.notices).toEqual(['Command `touch` is forbidden'])
    expect(await client.exited).toEqual({ kind: 'status', code: 255 })
    await expect
      .poll(() => recorded(session.id).find(([, , risk]) => risk === 5))
      .toEqual(['uch never', 'Command `touch` is forbidden', 5])
  },
)

test.each([
  ['one that takes itself for one on a terminal', 'bash --norc -i', ''],
  ['one that is told to have one', 'bash -s', 'set -o history -o histexpand\n'],
  ['one in another', 'bash -s', 'exec bash --norc -i\n'],
])('calls of the history are refused to a shell without a terminal: %s', async (_what, command, before) => {
  filtered(filter('reject', String.raw`\btouch\b`))
  const client = new TestClient({ command }).collect()
  const session = bench.open(client)
  const kept = `x=uch; history -s "to$x never; echo ran"\n: '!to'\necho one\n`
  client.stdin.end(`${before}${kept}!to\necho two\n`)
  await session.done
  expect(client.text).toMatch(/one/)
  expect(client.text).not.toMatch(/ran|two/)
  expect(client.notices.join()).toContain('What ! and ^ fetch')
})

test('a script for a shell that has no history may hold what looks like a call of it', async () => {
  filtered(filter('reject', String.raw`\btouch\b`))
  const client = new TestClient({ command: 'bash -s' }).collect()
  const session = bench.open(client)
  client.stdin.end('echo hi!there\n^a^b\necho end\n')
  await session.done
  expect(client.text).toBe('hi!there\nend\n')
})

test('a NUL behind the backslash, which the shell drops, does not hide that the line goes on', async () => {
  filtered(filter('reject', String.raw`\btouch\b`))
  const client = new TestClient({ command: 'bash -s' }).collect()
  const session = bench.open(client)
  client.stdin.write('pri\\\0\nntf one\nto\\\0\nuch never\necho three\n')
  await session.done
  expect(client.text).toBe('one')
  expect(client.notices).toEqual(['Command `touch` is forbidden'])
})

test('a script on a terminal ends with 255 where it ended with lines that were dropped behind a refused one; else it goes on', async () => {
  filtered(filter('reject', String.raw`\btouch\b`))
  const client = shell().collect()
  const session = bench.open(client)
  await expect.poll(() => client.tail).toMatch(/\$ \s*$/)
  client.stdin.end('echo one-$((1+1))\ntouch never\necho two-$((1+1))\nexit 3\n')
  await session.done
  expect(await client.exited).toEqual({ kind: 'status', code: 255 })
  expect(client.text).toMatch(/one-2[^]*forbidden/)
  expect(client.text).not.toContain('two')
  const person = shell().collect()
  const other = bench.open(person)
  await expect.poll(() => person.tail).toMatch(/\$ \s*$/)
  person.type('touch never\necho two-$((1+1))\n')
  await expect.poll(() => person.tail).toMatch(/forbidden[^]*\$ \s*$/)
  person.stdin.end('echo three-$((1+2))\nexit 3\n')
  await other.done
  expect(await person.exited).toEqual({ kind: 'status', code: 3 })
  expect(person.text).toContain('three-3')
})

test('what any other command is sent is data', async () => {
  filtered(filter('reject', String.raw`\btouch\b`))
  for (const command of ['cat', `sh -c 'cat'`, 'env cat | cat']) {
    const client = exec(command).collect()
    const session = bench.open(client)
    client.stdin.end('touch\n')
    await session.done
    expect(client.text).toBe('touch\n')
  }
})

test('two hundred filters delay neither the session nor what is typed', async () => {
  filtered(...Array.from({ length: 200 }, (_, number) => filter('reject', `\\bcommand-${number}\\b`)))
  const client = shell().collect()
  const session = bench.open(client)
  await expect.poll(() => client.tail).toMatch(/\$ \s*$/)
  await sleep(300)
  const begun = performance.now()
  client.type('echo passed-$((1+1))\r')
  await expect.poll(() => client.text, { interval: 5 }).toContain('passed-2')
  expect(performance.now() - begun).toBeLessThan(1000)
  session.end({ reason: 'killed', detail: '' })
  await session.done
})
