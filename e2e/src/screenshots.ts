/**
 * `npm run screenshots`: walks every screen of a system of its own, filled with the demo, and keeps a picture of each, to be looked
 * at by a person. `-- --out FOLDER --only WORD,WORD --languages en,zh --modes light,dark --widths 1440,390` narrows it.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { startSshd } from '@sallyport/ssh/testing/sshd'
import { openBrowser, signIn } from './browser.ts'
import { addressOf, openScreen, pageOf, screens } from './screens.ts'
import { fill } from './screens/ground.ts'
import { adminPassword, startSystem, type System } from './system.ts'

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: 'en,zh,ja' },
    modes: { type: 'string', default: 'light,dark' },
    widths: { type: 'string', default: '1440,390' },
  },
})

const languageCookies: Record<string, string> = { en: 'en', zh: 'zh-hans', ja: 'ja' }

interface Round {
  language: string
  mode: string
  width: number
}

async function walk(browser: Browser, system: System, { language, mode, width }: Round): Promise<void> {
  const chosen = screens.filter(({ name }) => options.only.split(',').some((word) => name.includes(word)))
  const shot = async (page: Page, name: string) => {
    await page.screenshot({
      path: join(options.out, `${name}-${language}-${mode}-${width}.png`),
      animations: 'disabled',
    })
  }
  const view = { viewport: { width, height: width > 800 ? 900 : 844 }, locale: language }
  const { page } = await signIn(
    browser,
    system,
    { username: 'admin', password: adminPassword },
    '/ui/workbench/home',
    view,
  )
  const context = page.context()
  await context.addCookies([
    { name: 'django_language', value: languageCookies[language] ?? language, url: system.origin },
  ])
  await context.addInitScript(
    `localStorage.setItem('themeMode', '${mode}'); localStorage.setItem('viewSwitcherTip', '1')`,
  )
  // Twice: the first page fetches the text font, those after it show it.
  await page.reload({ waitUntil: 'networkidle' })
  const visitor = await browser.newContext({ ...view, storageState: { cookies: [], origins: [] } })
  await visitor.addInitScript(`localStorage.setItem('themeMode', '${mode}')`)
  const pages = { inside: page, outside: await visitor.newPage() }
  for (const screen of chosen) {
    const address = await addressOf(screen, system)
    if (address === undefined) {
      process.stdout.write(`${screen.name}: no row to show\n`)
      continue
    }
    try {
      await openScreen(pages, system, screen, address)
    } catch (error) {
      process.stdout.write(`${screen.name}: ${String(error).split('\n', 1)[0]}\n`)
    }
    await shot(pageOf(screen, pages), screen.name)
  }
  await visitor.close()
  await context.close()
}

async function main(): Promise<void> {
  await mkdir(options.out, { recursive: true })
  const sshd = await startSshd()
  const system = await startSystem()
  const browser = await openBrowser()
  try {
    const leave = await fill(system, sshd, browser)
    for (const language of options.languages.split(','))
      for (const mode of options.modes.split(','))
        for (const width of options.widths.split(','))
          await walk(browser, system, { language, mode, width: Number(width) })
    leave()
  } finally {
    await browser.close()
    await system.stop()
    await sshd.stop()
  }
}

await main()
