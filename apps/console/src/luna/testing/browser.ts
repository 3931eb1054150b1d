/** The built pages in a real browser, against the fake server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { build } from 'vite'

const consoleRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** Builds the terminal pages alone into a folder of their own. */
export async function buildPages(): Promise<{ dist: string; remove: () => Promise<void> }> {
  const dist = await mkdtemp(path.join(tmpdir(), 'luna-pages-'))
  await build({
    root: consoleRoot,
    configFile: path.join(consoleRoot, 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      outDir: dist,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { input: path.join(consoleRoot, 'luna.html') },
    },
  })
  return { dist, remove: () => rm(dist, { recursive: true, force: true }) }
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['SALLYPORT_CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  })
