/** A person at a real browser. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { System } from './system.ts'

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser']

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: paths.find((path) => existsSync(path)),
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}

export interface Visit {
  page: Page
  /** What the page complained of: uncaught errors, console errors, answers of 500 and above. */
  complaints: string[]
}

/** Signs in as a person would, in a browser of one's own, and lands on `next`. */
export async function signIn(
  browser: Browser,
  system: System,
  person: { username: string; password: string },
  next: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
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
  await page.goto(`${system.origin}/core/auth/login/?next=${encodeURIComponent(next)}`)
  await page.locator('input[autocomplete=username]').fill(person.username)
  await page.locator('input[type=password]').fill(person.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => !url.pathname.startsWith('/core'))
  return { page, complaints }
}
