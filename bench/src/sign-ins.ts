/** Fifty people sign in at once, each in a browser of their own: how long the server looks at nothing else meanwhile. */
import { fileURLToPath } from 'node:url'
import type { System } from '../../e2e/src/system.ts'
import { WebClient } from '../../e2e/src/web-client.ts'
import { below, type Bench, type Figure, median, plain, round } from './figure.ts'
import { withServer } from './server.ts'

const people = 50
const rounds = 5
const password = 'A-password-of-9'
const nameOf = (n: number) => `person-${n}`

async function addPeople({ admin }: System): Promise<void> {
  for (let n = 0; n < people; n++)
    await admin.post('/api/v1/users/users/', {
      name: nameOf(n),
      username: nameOf(n),
      email: `${nameOf(n)}@example.com`,
      password_strategy: 'custom',
      password,
    })
}

/** Milliseconds of processor time of the server's longest turn since the last call. */
const longestTurn = async ({ server }: System) => Number((await server.ask('longest', 'turn'))['longest'])

async function atTheDoor({ origin }: System): Promise<WebClient> {
  const browser = new WebClient(origin)
  await browser.send('GET', '/core/auth/login/')
  return browser
}

async function signIn(browser: WebClient, username: string): Promise<void> {
  const { status } = await browser.send('POST', '/core/auth/login/', { username, password })
  if (status !== 200) throw new Error(`${username} was not let in: ${status}`)
  // What a console asks for first.
  await Promise.all(
    ['settings/public/', 'users/profile/'].map((path) => browser.send('GET', `/api/v1/${path}`)),
  )
}

async function crowd(system: System): Promise<Figure[]> {
  const turns: number[] = []
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const browsers = await Promise.all(Array.from({ length: people }, () => atTheDoor(system)))
    await longestTurn(system)
    const from = performance.now()
    await Promise.all(browsers.map((browser, n) => signIn(browser, nameOf(n))))
    times.push(performance.now() - from)
    turns.push(await longestTurn(system))
  }
  const name = `${people} people sign in at once`
  return [
    below(
      `${name}: longest turn of the event loop, worst of ${rounds}`,
      Math.max(...turns),
      50,
      'ms of processor',
    ),
    plain(`${name}: longest turn, each time`, turns.map(round).join(', ')),
    plain(`${name}: until the last is in`, `${round(median(times))} ms`),
  ]
}

const run = (): Promise<Figure[]> =>
  withServer(
    async (system) => {
      await addPeople(system)
      return await crowd(system)
    },
    { NODE_OPTIONS: `--import=${fileURLToPath(new URL('turn-monitor.ts', import.meta.url))}` },
  )

export default { name: 'sign-ins', run } satisfies Bench
