import { expect, test } from 'vitest'
import { themes } from '../../kit/terminal/themes.ts'
import { contrast, readableContrast } from '../../kit/theme/color.ts'
import { terminalPages } from '../testing/browser.ts'

const pages = terminalPages()

/** `rgb(20, 24, 29)` as `#14181d`. */
const hex = (color: string) =>
  `#${(color.match(/\d+/gu) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`

test('inverse text can be read in every theme of the terminal', async () => {
  const context = await pages.browser.newContext({ locale: 'en-US' })
  const page = await context.newPage()
  await page.goto(`${pages.origin}/luna/`)
  await page.getByRole('treeitem', { name: 'web-01' }).click()
  const rows = page.locator('.xterm-rows > div')
  await expect.poll(() => rows.first().textContent()).toContain('$')
  await page.keyboard.type(`clear; printf '\\e[7minverse\\e[0m\\n'\n`)
  const cells = rows.first().getByText('inverse', { exact: true })
  await cells.waitFor()
  const other = await context.newPage()
  await other.goto(`${pages.origin}/luna/`)
  const contrasts: Record<string, number> = {}
  for (const { name, colors } of themes) {
    // Set in another window, as by the dialog there.
    await other.evaluate((chosen) => localStorage.setItem('themeName', chosen), name)
    const styleOf = (property: string) =>
      cells.evaluate((element, of) => getComputedStyle(element).getPropertyValue(of), property)
    await expect.poll(async () => hex(await styleOf('background-color'))).toBe(colors.foreground)
    contrasts[name] = contrast(hex(await styleOf('color')), hex(await styleOf('background-color')))
  }
  expect(Object.entries(contrasts).filter(([, found]) => found < readableContrast)).toEqual([])
  await context.close()
})
