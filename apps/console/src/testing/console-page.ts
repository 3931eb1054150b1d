import type { Page } from 'playwright-core'
import { afterEach, beforeEach } from 'vitest'
import type { Organization } from '../kit/session/types.ts'
import { sharedBrowser } from './browser.ts'
import { builtFolder } from './built-folder.ts'
import { type Fixture, startFixture } from './fixture-server.ts'

const patienceMs = 30_000

/** Where a test finds the console: the same object for all tests of a file, with a page of its own for each. */
export interface ConsolePage {
  fixture: Fixture
  page: Page
  open: (address: string) => Promise<unknown>
  button: (name: string) => ReturnType<Page['getByRole']>
  /** The body of the last such request. */
  sentTo: (method: string, path: string) => unknown
}

interface Surroundings {
  /** Of the window; 1280 unless said. */
  widthPx?: number
  /** Chosen before, in place of the one the session begins with. */
  organization?: Organization
  /** What this browser remembers. */
  stored?: Readonly<Record<string, string>>
}

/** Before each test of a file the console is there for a signed-in person. */
export function consolePage(
  prepare: (fixture: Fixture) => void,
  { widthPx = 1280, organization, stored }: Surroundings = {},
): ConsolePage {
  const at: Partial<ConsolePage> = {}
  beforeEach(async () => {
    const fixture = await startFixture(builtFolder())
    fixture.isSignedIn = true
    prepare(fixture)
    const browser = await sharedBrowser()
    const context = await browser.newContext({
      locale: 'en-US',
      viewport: { width: widthPx, height: 900 },
      reducedMotion: 'reduce',
    })
    await context.addInitScript((given) => Object.assign(localStorage, given), {
      viewSwitcherTip: '1',
      ...stored,
    })
    const cookies = {
      jms_session_expire: 'age',
      django_language: 'en',
      ...(organization && { 'X-JMS-ORG': organization.id }),
    }
    await context.addCookies(
      Object.entries(cookies).map(([name, value]) => ({ name, value, url: fixture.origin })),
    )
    const page = await context.newPage()
    page.setDefaultTimeout(patienceMs)
    Object.assign(at, {
      fixture,
      page,
      open: (address) => page.goto(`${fixture.origin}${address}`),
      // A button that has just been busy still bears the sign of it for a moment.
      button: (name) =>
        page.getByRole('button', { name: new RegExp(`^(?:loading )?${RegExp.escape(name)}$`, 'u') }),
      sentTo: (method, path) =>
        fixture.requests.findLast((request) => request.method === method && request.path === path)?.body,
    } satisfies ConsolePage)
  })
  afterEach(async () => {
    await at.page?.context().close()
    await at.fixture?.close()
  })
  return at as ConsolePage
}
