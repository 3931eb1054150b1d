/** The tree of nodes as a person sees it: from the last click until name, place and counts of a node above 100,000 assets are right. */
import type { Page } from 'playwright-core'
import { openBrowser, signIn } from '../../e2e/src/browser.ts'
import { adminPassword, type System } from '../../e2e/src/system.ts'
import { below, type Figure } from './figure.ts'
import { load } from './timed.ts'

const changeMs = 1000
const assets = '/ui/console/assets/assets'

async function until(act: () => Promise<unknown>, shown: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await act()
  await shown()
  return performance.now() - begun
}

const treeItem = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name })

async function chooseFromMenu(page: Page, node: RegExp, entry: string): Promise<void> {
  await treeItem(page, node).click({ button: 'right' })
  await page.getByRole('menuitem', { name: entry }).click()
}

/** Leaves the tree as it was but for an empty node more. */
export async function treeInBrowser(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  try {
    const body = await system.admin.get<readonly { name: string }[]>('/api/v1/assets/nodes/children/tree/')
    const estate = body.find(({ name }) => name.startsWith('estate-0 '))
    const above = /\d+(?=\)$)/.exec(estate?.name ?? '')?.[0] ?? ''
    await system.admin.post('/api/v1/assets/nodes/', { value: 'seen' })
    const { page } = await signIn(browser, system, { username: 'admin', password: adminPassword }, assets)
    await treeItem(page, `estate-0 (${above})`).waitFor()
    await page.getByRole('row', { name: /host-/ }).first().waitFor()

    await chooseFromMenu(page, /^estate-0 /, 'Rename node')
    await page.getByRole('textbox', { name: 'Name' }).fill('estate-so')
    const renamed = await until(
      () => page.keyboard.press('Enter'),
      () => treeItem(page, `estate-so (${above})`).waitFor(),
    )
    await chooseFromMenu(page, /^estate-so /, 'Rename node')
    await page.getByRole('textbox', { name: 'Name' }).fill('estate-0')
    await page.keyboard.press('Enter')
    await treeItem(page, `estate-0 (${above})`).waitFor()

    const move = page.getByRole('dialog').getByRole('button', { name: 'Move' })
    await treeItem(page, /^estate-0 /).dragTo(treeItem(page, /^seen /))
    const moved = await until(
      () => move.click(),
      () => treeItem(page, `seen (${above})`).waitFor(),
    )
    await treeItem(page, /^estate-0 /).dragTo(treeItem(page, /^default /i))
    const back = await until(
      () => move.click(),
      () => treeItem(page, 'seen (0)').waitFor(),
    )
    return [
      below(`in a browser: a node above ${above} assets renamed (${load()})`, renamed, changeMs, 'ms'),
      below(`the same moved, until the counts are right (${load()})`, moved, changeMs, 'ms'),
      below(`the same moved back (${load()})`, back, changeMs, 'ms'),
    ]
  } finally {
    await browser.close()
  }
}
