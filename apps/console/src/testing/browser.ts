import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executables = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

let running: Browser | undefined

/**
 * The browser of all test files that run in this process, one after the other; it ends with the process. Debian's chromium, headless,
 * without calls of its own. Each test opens contexts of its own and closes them.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (running?.isConnected()) return running
  const executablePath = executables.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error(`no browser found; looked for ${executables.join(', ')}`)
  running = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
  return running
}
