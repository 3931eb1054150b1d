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
  for (const { name, colors } of themes) {
    // Set in another window, as by the dialog there.
    await other.evaluate((chosen) => localStorage.setItem('themeName', chosen), name)
    // The colour of the text follows that of its ground when the line is drawn again.
    const contrastOfTheme = async () => {
      const { ground, text } = await cells.evaluate((element) => {
        const { backgroundColor, color } = getComputedStyle(element)
        return { ground: backgroundColor, text: color }
      })
      return hex(ground) === colors.foreground ? contrast(hex(text), hex(ground)) : 0
    }
    await expect.poll(contrastOfTheme, { message: name }).toBeGreaterThanOrEqual(readableContrast)
  }
  await context.close()
})
