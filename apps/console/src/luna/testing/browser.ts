/** The built pages in a real browser, against the fake server. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'

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
