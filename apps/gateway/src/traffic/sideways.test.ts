/** Shells that scroll a long line sideways, so that the screen shows a part of it only, on a real sshd and bash. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { TestClient } from '../testing/client.ts'
import { filter } from '../testing/filters.ts'
import { startTestBench, type TestBench } from '../testing/gateway.ts'
import type { Session } from '../session/session.ts'

const reviewed = filter('review', String.raw`\bmkdir\b`, { reviewers: [{ id: 'eve', name: 'Eve' }] })
let bench: TestBench
beforeAll(async () => {
  bench = await startTestBench()
  bench.server.filters = [filter('reject', String.raw`\bprintf\b`), reviewed]
})
afterAll(async () => {
  await bench.stop()
})
let session: Session | undefined
afterEach(async () => {
  session?.end({ reason: 'killed', detail: '' })
  await session?.done
})

/** Prints `ran-now` where it is run, which stands nowhere in it. */
const forbidden = 'printf %s-%s ran now'
const filling = (length: number) => `: ${'a'.repeat(length)}`
const ctrl = (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 0x1f)
const unread = /could not be read/
const inputs = () =>
  bench.server.commands.flatMap(({ session: id, input }) => (id === session?.id ? [String(input)] : []))

async function openShell(term: string): Promise<TestClient> {
  const client = new TestClient({ terminal: { term, cols: 80, rows: 24 } }).collect()
  session = bench.open(client)
  await expect.poll(() => client.tail).toMatch(/\$ \s*$/)
  client.type('echo up-$((1+1))\r')
  await expect.poll(() => client.tail).toMatch(/up-2\r\n[^]*\$ $/)
  return client
}

/** Types keys one after the other, each when what the one before has the shell write is there. */
async function type(client: TestClient, ...doings: (string | RegExp)[]): Promise<void> {
  for (const doing of doings) {
    if (typeof doing === 'string') client.type(doing)
    else await expect.poll(() => client.tail).toMatch(doing)
  }
}

const toTheEnd: (string | RegExp)[] = [/<a+[^\r]*ok$/, ctrl('B'), /\p{Cc}$/u, ctrl('E')]

test.each([
  ['a terminal that cannot move up', 'dumb', []],
  ['a terminal nobody knows', 'xterm', ['TERM=no-such-terminal exec bash\r', /bash\r\n[^]*\$ $/]],
  ['one whose shell is told to', 'xterm', ["bind 'set horizontal-scroll-mode on'\r", /on'\r\n[^]*\$ $/]],
])(
  'an edited line of which the screen shows the end alone is refused, and neither reviewed nor on the books as another: on %s',
  async (_what, term, setUp) => {
    const client = await openShell(term)
    await type(client, ...setUp)
    await type(client, `${forbidden}; ${filling(60)}; mkdir ok`, ...toTheEnd, '\r', unread)
    await type(
      client,
      /\$ $/,
      `${forbidden}; ${filling(60)}; echo ok`,
      ...toTheEnd,
      '\r',
      /(?:read[^]*){2}\$ $/,
    )
    await type(client, 'echo still-$((1+1))\r', 'exit\r')
    await session?.done
    expect(client.text).toContain('still-2')
    expect(client.text).not.toContain('ran-now')
    expect(bench.server.reviews.tickets).toEqual([])
    await expect.poll(inputs).toContain('exit')
    expect(inputs().join('\n')).not.toMatch(/aaaa/)
  },
)

test('an edited line of which the screen shows the beginning alone is refused', async () => {
  const client = await openShell('dumb')
  await type(client, `true ${filling(80)}; ${forbidden}`, /now$/, ctrl('A'), />\r+[^\r]*\$ $/, '\r', unread)
  expect(client.text).not.toContain('ran-now')
})

test('an edited line that was written anew below with its middle left out is refused', async () => {
  const client = await openShell('dumb')
  await type(
    client,
    'true; ',
    ctrl('L'),
    /\n[^\n]*true; $/,
    `${forbidden}; ${filling(70)}`,
    /<[^\r]*a$/,
    '\r',
    unread,
  )
  expect(client.text).not.toContain('ran-now')
})

test('what was typed as plain text is judged by that; a short line goes on as on any terminal, edited or from the history', async () => {
  const client = await openShell('dumb')
  await type(client, `echo plain-$((1+1)); ${filling(80)}\r`, /plain-2[^]*\$ $/)
  await type(client, 'echo edited-$((1+1)) x', ctrl('B'), ctrl('B'), /\p{Cc}$/u, '\r', /edited-2[^]*\$ $/)
  await type(client, 'echo s\x1b[A', /edited[^\r]*$/, '\r', /(?:edited-2[^]*){2}\$ $/)
  await type(client, `${ctrl('R')}up-`, /-': echo up-[^\r]*$/, '\r', /(?:up-2[^]*)\$ $/)
  await expect.poll(() => inputs().filter((input) => input === 'echo up-$((1+1))')).toHaveLength(2)
  await type(client, `${filling(80)}; ${forbidden}\r`, /forbidden/)
  expect(client.text).not.toContain('ran-now')
  expect(client.text).not.toMatch(unread)
})
