import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The shell is Chromium without the window around the page: it opens one in a third of the time. */
const executables = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

let running: Browser | undefined

/** A browser without calls of its own, Debian's Chromium without a window; whoever opens it closes it. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = executables.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error(`no browser found; looked for ${executables.join(', ')}`)
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}

/**
 * The browser of all test files that run in this process, one after the other; it ends with the process. Each test opens contexts of its
 * own and closes them.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (running?.isConnected() !== true) running = await openBrowser()
  return running
}
