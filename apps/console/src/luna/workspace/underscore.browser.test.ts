import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { terminalPages } from '../testing/browser.ts'

const pages = terminalPages()

const cells = 12
const underscores = '_'.repeat(cells)
/** The share of a pixel row that is plainly no background; a font may leave a gap between two underscores. */
const shareAtLeast = 0.75
const differenceAtLeast = 60

/** The picture of a line of the terminal, decoded by a page of its own: for each pixel row how much of it is no background. */
async function inkOfRows(page: Page, png: Buffer): Promise<number[]> {
  return page.evaluate(
    async ([address, difference]) => {
      const bitmap = await createImageBitmap(await (await fetch(address)).blob())
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('the browser has no canvas')
      context.drawImage(bitmap, 0, 0)
      const { data, width, height } = context.getImageData(0, 0, bitmap.width, bitmap.height)
      const isInk = (x: number, y: number) =>
        [0, 1, 2].some(
          (channel) =>
            Math.abs((data[(y * width + x) * 4 + channel] ?? 0) - (data[channel] ?? 0)) >= difference,
        )
      return Array.from(
        { length: height },
        (_, y) => Array.from({ length: width }, (_, x) => x).filter((x) => isInk(x, y)).length / width,
      )
    },
    [`data:image/png;base64,${png.toString('base64')}`, differenceAtLeast] as const,
  )
}

for (const deviceScaleFactor of [1, 1.25, 1.5, 2]) {
  test(`underscores are seen in the terminal at 14 px on a screen of ${deviceScaleFactor} device pixels to one`, async () => {
    const context = await pages.browser.newContext({ locale: 'en-US', deviceScaleFactor })
    const page = await context.newPage()
    await page.goto(`${pages.origin}/luna/`)
    await page.getByRole('treeitem', { name: 'web-01' }).click()
    const rows = page.locator('.xterm-rows > div')
    await expect.poll(() => rows.first().textContent()).toContain('$')
    await page.keyboard.type(
      `printf '%s\\n' ${underscores} ${underscores}; clear; printf '%s\\n' ${underscores} next\n`,
    )
    await expect.poll(() => rows.first().textContent()).toBe(underscores)
    expect(await page.evaluate('document.fonts.check(\'14px "JetBrains Mono"\')')).toBe(true)
    const row = await rows.first().boundingBox()
    const text = await rows.first().locator('span').first().boundingBox()
    if (row === null || text === null) throw new Error('the line is not shown')
    const clip = { x: row.x, y: row.y, width: text.width, height: row.height }
    const decoder = await context.newPage()
    const ink = await inkOfRows(decoder, await page.screenshot({ clip }))
    expect(Math.max(...ink)).toBeGreaterThanOrEqual(shareAtLeast)
    await context.close()
  })
}
