/** A test that fails says what its pages showed. */
import { afterEach } from 'vitest'
import { openVisits } from './browser.ts'

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const { page, complaints } of openVisits()) {
    const shown = await page.locator('body').ariaSnapshot({ timeout: 5000 }).catch(String)
    process.stderr.write([task.name, page.url(), ...complaints, shown, ''].join('\n'))
  }
})
