import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { countDraws } from '../../testing/count-draws.ts'

const at = consolePage(() => undefined, { widthPx: 1000 })
const node = (id: string) => at.page.getByRole('treeitem', { name: `Node ${id}`, exact: true })
const stateOf = (id: string) => node(id).getAttribute('aria-checked')
const ticked = () => at.page.locator('output').textContent()
const open = () => at.open('/ui/src/testing/samples/index.html?tree')

test('one tick among a thousand nodes draws only its branch', async () => {
  const draws = await countDraws(at.page, '[role=treeitem]')
  await open()
  await node('8:98').waitFor()
  await node('9').focus()
  await at.page.keyboard.press('ArrowRight')
  await node('9:98').waitFor()
  expect(await at.page.getByRole('treeitem').count()).toBe(1000)
  await node('4:50').focus()
  const before = await draws()
  await at.page.keyboard.press('Space')
  await expect.poll(() => stateOf('4')).toBe('mixed')
  expect((await draws()) - before).toBe(2)
})

test('ticks go down to what is below and are seen from above, loaded or not', async () => {
  await open()
  await node('9').waitFor()
  expect(await stateOf('9')).toBe('mixed')
  await node('9').locator('[aria-hidden]').first().click()
  await node('9:5').waitFor()
  expect(await stateOf('9:5')).toBe('true')
  expect(await stateOf('9:6')).toBe('false')

  await node('9').getByRole('checkbox').click()
  await expect.poll(() => stateOf('9:6')).toBe('true')
  expect(await ticked()).toBe('9')

  await node('9:6').focus()
  await at.page.keyboard.press('Space')
  await expect.poll(() => stateOf('9')).toBe('mixed')
  expect(await ticked()).not.toContain('9:6 ')
  expect((await ticked())?.split(' ')).toHaveLength(98)
})
