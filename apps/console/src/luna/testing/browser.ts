/** The built pages in a real browser, against the fake server. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll } from 'vitest'
import { FakeServer } from './api.ts'

const consoleRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** Files by name, as a server of the console has them. */
export type Pages = Map<string, string | Uint8Array>

/** Builds the terminal pages alone, in memory. */
export async function buildPages(): Promise<Pages> {
  const built = await build({
    root: consoleRoot,
    configFile: path.join(consoleRoot, 'vite.config.ts'),
    logLevel: 'warn',
    build: { write: false, minify: false, rolldownOptions: { input: path.join(consoleRoot, 'luna.html') } },
  })
  if (!('output' in built)) throw new Error('the build gave no single output')
  return new Map(built.output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : file.source]))
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['SALLYPORT_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })

/** The pages of a test file: there before its first test, gone after its last. */
export function terminalPages() {
  const pages = { browser: undefined as unknown as Browser, origin: '' }
  let server: FakeServer | undefined
  beforeAll(async () => {
    server = new FakeServer(await buildPages())
    pages.origin = await server.start()
    pages.browser = await launchBrowser()
  })
  afterAll(async () => {
    await pages.browser?.close()
    await server?.stop()
  })
  return pages
}
