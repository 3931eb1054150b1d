import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const executables = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Debian's chromium, headless, without calls of its own. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = executables.find((path) => existsSync(path))
  if (executablePath === undefined) throw new Error(`no browser found; looked for ${executables.join(', ')}`)
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
}
