/** The built pages in a real browser, against the fake server. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { sharedBrowser } from '../../testing/browser.ts'
import { FakeServer } from './api.ts'

/** The pages of a test file: there before its first test, gone after its last. */
export function terminalPages() {
  const pages = { browser: undefined as unknown as Browser, origin: '' }
  const server = new FakeServer()
  beforeAll(async () => {
    pages.origin = await server.start()
    pages.browser = await sharedBrowser()
  })
  afterAll(() => server.stop())
  return pages
}
