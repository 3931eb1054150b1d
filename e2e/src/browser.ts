/** A person at a real browser. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { adminPassword, type System } from './system.ts'

export { openBrowser } from '../../apps/console/src/testing/browser.ts'

export interface Visit {
  page: Page
  /** What the page complained of: uncaught errors, console errors, answers of 500 and above. */
  complaints: string[]
}

const visits = new Set<Visit>()

/** Those whose page is still open. */
export function openVisits(): Visit[] {
  return [...visits]
}

/** A browser of one's own, with nothing open yet; in English unless said. */
export async function openVisit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    ...options,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refused call is the page's business; the browser also reports it on the console.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${response.url()}`)
  })
  const visit = { page, complaints }
  visits.add(visit)
  page.once('close', () => visits.delete(visit))
  return visit
}

type Credentials = { username: string; password: string }

/** Fills in the sign-in page that is open and sends it. */
export async function fillSignIn(page: Page, { username, password }: Credentials): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(username)
  await page.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
}

/** Signs in as a person would, in a browser of one's own, and lands on `next`. */
export async function signIn(
  browser: Browser,
  system: System,
  person: Credentials,
  next: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const visit = await openVisit(browser, options)
  await visit.page.goto(`${system.origin}/core/auth/login/?next=${encodeURIComponent(next)}`)
  await fillSignIn(visit.page, person)
  await visit.page.waitForURL((url) => !url.pathname.startsWith('/core'))
  return visit
}

/** The administrator of a new installation, who has read its notice. */
export async function signInAsAdmin(browser: Browser, system: System, next: string): Promise<Visit> {
  const visit = await signIn(browser, system, { username: 'admin', password: adminPassword }, next)
  visit.page.setDefaultTimeout(60_000)
  await visit.page.getByRole('button', { name: 'Got it' }).click()
  return visit
}

/** The address of a page, without its origin. */
export function pathOf(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}
