/** What assistive software, and eyes that see little contrast, meet on every screen: no violation that axe calls serious or critical. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openVisit, signIn } from '../src/browser.ts'
import { addressOf, openScreen, pageOf, type Screen, screens } from '../src/screens.ts'
import { fill } from '../src/screens/ground.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const walkMs = 900_000

let system: System
let sshd: TestSshd
let browser: Browser
let leave: () => void

beforeAll(async () => {
  sshd = await startSshd()
  system = await startSystem()
  browser = await openBrowser()
  leave = await fill(system, sshd, browser)
})
afterAll(async () => {
  leave?.()
  await browser?.close()
  await system?.stop()
  await sshd?.stop()
})

interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary?: string }[]
}

/** What dark changes is colours, so there only they are looked at. */
const rules = {
  light: {},
  dark: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
}

async function violations(page: Page, mode: keyof typeof rules): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe)
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules[mode] })
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  )
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
    )
}

/** Follows the system, as the console does unless told otherwise, and goes on when no colour changes any more. */
async function turn(page: Page, mode: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: mode, reducedMotion: 'reduce' })
  await page.waitForFunction((name) => document.documentElement.dataset['theme'] === name, mode)
  await page.evaluate(async () => {
    const colours = () =>
      [...document.querySelectorAll('body *')]
        .map((element) => {
          const { color, backgroundColor } = getComputedStyle(element)
          return color + backgroundColor
        })
        .join()
    const [framesBetween, looksAlike, looksAtMost] = [5, 4, 60]
    let [before, alike] = ['', 0]
    for (let look = 0; look < looksAtMost && alike < looksAlike; look += 1) {
      for (let frame = 0; frame < framesBetween; frame += 1) await new Promise(requestAnimationFrame)
      const now = colours()
      alike = now === before ? alike + 1 : 0
      before = now
    }
  })
}

/** Opens every screen that is the next when this walker comes to it; tells by screen and mode what was found. */
async function walk(next: () => Screen | undefined): Promise<Record<string, string[]>> {
  const told: Record<string, string[]> = {}
  const visitor = await openVisit(browser)
  const admin = { username: 'admin', password: adminPassword }
  const { page } = await signIn(browser, system, admin, '/ui/workbench/home')
  await page.addInitScript(`localStorage.setItem('viewSwitcherTip', '1')`)
  const pages = { inside: page, outside: visitor.page }
  const modes: (keyof typeof rules)[] = ['light', 'dark']
  for (let screen = next(); screen; screen = next()) {
    const address = await addressOf(screen, system)
    if (address === undefined) continue
    await openScreen(pages, system, screen, address)
    const shown = pageOf(screen, pages)
    for (const mode of modes) {
      await turn(shown, mode)
      const found = await violations(shown, mode)
      if (found.length > 0) told[`${screen.name}, ${mode}`] = found
    }
    // The next screen begins as this one ends.
    modes.reverse()
  }
  await page.context().close()
  await visitor.page.context().close()
  return told
}

test(
  'no screen has a serious or critical violation, light or dark',
  async () => {
    const waiting = [...screens]
    const next = () => waiting.shift()
    // Half of a walk is waiting for pages to come to rest.
    const told = await Promise.all([walk(next), walk(next)])
    expect(Object.assign({}, ...told)).toEqual({})
  },
  walkMs,
)
