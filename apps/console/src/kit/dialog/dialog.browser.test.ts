import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveGroup } from '../../testing/form-rows.ts'

const at = consolePage(serveGroup)

test('a dialog opened from a menu gives the focus back to the button of the menu', async () => {
  await at.open('/ui/console/users/groups')
  const help = at.page.getByRole('button', { name: 'Help' })
  await help.focus()
  // What is loaded at the first opening is there at the second.
  for (let time = 0; time < 2; time++) {
    await at.page.keyboard.press('Enter')
    // The menu leads to its first item, which goes elsewhere, by itself.
    await expect
      .poll(() => at.page.evaluate(() => document.activeElement?.getAttribute('role')))
      .toBe('menuitem')
    await at.page.getByRole('menuitem', { name: 'About' }).press('Enter')
    await at.page.getByRole('dialog', { name: 'About' }).waitFor()
    await at.page.keyboard.press('Escape')
    await at.page.getByRole('dialog', { name: 'About' }).waitFor({ state: 'detached' })
    await expect.poll(() => help.evaluate((element) => element === document.activeElement)).toBe(true)
  }
})
