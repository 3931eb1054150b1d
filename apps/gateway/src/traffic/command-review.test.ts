import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { exec, shell, TestClient } from '../testing/client.ts'
import { filter } from '../testing/filters.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'

const reviewed = filter('review', 'reviewed', { reviewers: [{ id: 'eve', name: 'Eve' }] })
let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
  bench.server.filters = [reviewed]
})
afterAll(async () => {
  await bench.stop()
})
beforeEach(() => {
  bench.server.reviews.tickets.length = 0
  bench.server.reviews.isRefusing = false
})

const recorded = (id: string) =>
  bench.server.commands
    .filter((command) => command.session === id)
    .map(({ input, output, risk_level }) => [input, output, risk_level])
const shown = async (client: TestClient, what: string | RegExp) =>
  await expect.poll(() => client.text + client.notices.join('\n'), { timeout: 10_000 }).toMatch(what)

/** A shell in which a command that needs a review was entered. */
async function asked() {
  const client = shell().collect()
  const session = bench.open(client)
  await shown(client, /\$ \s*$/)
  client.type('echo reviewed-$((1+1))\r')
  await shown(client, 'needs a review by Eve')
  return { client, session }
}

test('a command waits until a reviewer approves it, who is named, and then runs; what is typed meanwhile is not taken', async () => {
  const { client, session } = await asked()
  client.type('y')
  await shown(client, 'waits for a review by Eve(eve)')
  await shown(client, 'https://bastion.example/ui/tickets')
  await shown(client, /Waiting: \d s/)
  const [ticket] = bench.server.reviews.tickets
  expect(ticket?.asked).toEqual({
    session_id: session.id,
    cmd_filter_acl_id: reviewed.id,
    run_command: 'echo reviewed-$((1+1))',
  })
  client.type('rm everything\r')
  expect(client.text).not.toContain('reviewed-2')
  bench.server.reviews.decide('approved')
  await shown(client, 'Eve(eve) approved')
  await shown(client, 'reviewed-2')
  client.type('echo next-$((1+2))\rexit\r')
  await session.done
  expect(client.text).toContain('next-3')
  expect(client.text).not.toContain('rm everything')
  await expect
    .poll(() => recorded(session.id).map(([input]) => input))
    .toEqual(['echo reviewed-$((1+1))', 'echo next-$((1+2))', 'exit'])
})

test('what is decided is told to the gateway, which asks the server twice in all, and the command runs at once', async () => {
  const { client, session } = await asked()
  client.type('y')
  await shown(client, /Waiting: \d s/)
  const status = /^GET tickets\/super-tickets\/[^/]+\/status\/$/
  const before = bench.server.calls.filter((call) => status.test(call)).length
  const decidedMs = performance.now()
  bench.server.reviews.decide('approved')
  await shown(client, 'Eve(eve) approved')
  // Asked again and again it would have been heard after many seconds.
  expect(performance.now() - decidedMs).toBeLessThan(5000)
  expect(bench.server.calls.filter((call) => status.test(call)).length).toBe(before + 1)
  client.type('exit\r')
  await session.done
})

test('a command that is rejected does not run, and is dangerous on the books', async () => {
  const { client, session } = await asked()
  client.type('\r')
  await shown(client, 'waits for a review')
  bench.server.reviews.decide('rejected')
  await shown(client, 'Eve(eve) rejected `reviewed`')
  client.type('exit\r')
  await session.done
  expect(client.text).not.toContain('reviewed-2')
  await expect
    .poll(() => recorded(session.id)[0])
    .toEqual(['echo reviewed-$((1+1))', 'Eve(eve) rejected `reviewed`', 5])
})

test('a request that nobody decided in time is closed by the server, and the command does not run', async () => {
  const { client, session } = await asked()
  client.type('y')
  await shown(client, 'waits for a review')
  bench.server.reviews.expire()
  await shown(client, 'Nobody decided in time')
  client.type('exit\r')
  await session.done
  expect(client.text).not.toContain('reviewed-2')
})

test.each([
  ['n, before anybody is asked', 'n', 0],
  ['Ctrl-C, before anybody is asked', '\x03', 0],
])('who answers %s gives up', async (_what, answer, tickets) => {
  const { client, session } = await asked()
  client.type(answer)
  await shown(client, 'was not run')
  expect(bench.server.reviews.tickets.length).toBe(tickets)
  client.type('exit\r')
  await session.done
  expect(client.text).not.toContain('reviewed-2')
})

test.each([
  ['Ctrl-C', '\x03'],
  ['Ctrl-D', '\x04'],
])('%s ends the waiting and closes the ticket', async (_name, key) => {
  const { client, session } = await asked()
  client.type('y')
  await shown(client, 'waits for a review')
  client.type(key)
  await shown(client, 'Given up')
  expect(bench.server.reviews.tickets[0]?.state).toBe('closed')
  client.type('exit\r')
  await session.done
  expect(client.text).not.toContain('reviewed-2')
})

test('who leaves while it waits closes the ticket', async () => {
  const { client, session } = await asked()
  client.type('y')
  await shown(client, 'waits for a review')
  client.leave()
  await session.done
  await expect.poll(() => bench.server.reviews.tickets[0]?.state).toBe('closed')
})

test('where nobody could decide the command does not run', async () => {
  bench.server.reviews.isRefusing = true
  const { client, session } = await asked()
  client.type('y')
  await shown(client, 'reviewers could not be asked')
  client.type('exit\r')
  await session.done
  expect(client.text).not.toContain('reviewed-2')
})

test('a command without a terminal waits, too, and says so', async () => {
  const client = exec('echo reviewed').collect()
  const session = bench.open(client)
  await shown(client, 'waits for a review by Eve(eve)')
  bench.server.reviews.decide('approved')
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
  expect(client.text).toBe('reviewed\n')
})

test.each(['\x03', '\x04'])(
  '%j at a command with a terminal gives it up, and nothing else does',
  async (key) => {
    const terminal = { term: 'xterm', cols: 80, rows: 24 }
    const client = new TestClient({ command: 'echo reviewed-$((1+1))', terminal }).collect()
    const session = bench.open(client)
    await shown(client, 'waits for a review by Eve(eve)')
    client.type('what is typed is not taken\r')
    await shown(client, /Waiting: \d s/)
    client.type(key)
    await shown(client, 'Given up')
    await session.done
    await expect.poll(() => bench.server.reviews.tickets[0]?.state).toBe('closed')
    expect(client.text).not.toContain('reviewed-2')
  },
)

test('a command with a terminal is not asked about, and has what is typed once it runs', async () => {
  const terminal = { term: 'xterm', cols: 80, rows: 24 }
  const client = new TestClient({ command: ': reviewed; read x; echo got-$x', terminal }).collect()
  const session = bench.open(client)
  await shown(client, 'waits for a review by Eve(eve)')
  bench.server.reviews.decide('approved')
  await shown(client, 'Eve(eve) approved')
  client.type('mine\r')
  expect(await session.done).toMatchObject({ reason: 'target_closed' })
  expect(client.text).toContain('got-mine')
})

test('a command that is sent a signal while it waits never runs', async () => {
  const client = exec('echo reviewed').collect()
  const session = bench.open(client)
  await shown(client, 'waits for a review by Eve(eve)')
  client.send('USR1')
  client.send('TERM')
  expect(await client.exited).toEqual({ kind: 'signal', name: 'TERM' })
  expect(await session.done).toMatchObject({ reason: 'client_left' })
  await expect.poll(() => bench.server.reviews.tickets[0]?.state).toBe('closed')
  expect(client.text).toBe('')
})

test('a command is put to its reviewers whole, with the lines it goes on from', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  await shown(client, /\$ \s*$/)
  client.type('echo \\\r')
  await shown(client, /> \s*$/)
  client.type('reviewed-$((1+1))\r')
  await shown(client, 'needs a review by Eve')
  client.type('y')
  await shown(client, /Waiting: \d s/)
  expect(bench.server.reviews.tickets[0]?.asked).toMatchObject({
    run_command: 'echo \\\nreviewed-$((1+1))',
  })
  client.type('\x03')
  await shown(client, 'Given up')
  client.type('exit\r')
  await session.done
})

test('what is too long to be shown is put to nobody, and the books say how much of it they leave out', async () => {
  const client = exec(`echo reviewed${' '.repeat(4200)}; echo and-more`).collect()
  const session = bench.open(client)
  await shown(client, 'cannot be shown to the reviewers')
  await session.done
  expect(client.text).not.toContain('and-more')
  expect(bench.server.reviews.tickets).toEqual([])
  await expect
    .poll(() => recorded(session.id)[0])
    .toEqual([
      expect.stringMatching(/^echo reviewed.*\[… \d+ characters left out …\].*; echo and-more$/),
      expect.stringContaining('More than 4090 characters'),
      5,
    ])
})

test('what is not shown is not put to anybody', async () => {
  const client = shell().collect()
  const session = bench.open(client)
  await shown(client, /\$ \s*$/)
  client.type('read -sp "Password: " x\r')
  await shown(client, /Password: $/)
  client.type('xreviewedx\r')
  await shown(client, 'cannot be reviewed')
  expect(bench.server.reviews.tickets).toEqual([])
  session.end({ reason: 'killed', detail: '' })
  await session.done
  expect(recorded(session.id).flat().join(' ')).not.toContain('xreviewedx')
})
