/** A screen, and the usual ways to it. */
import type { Page } from 'playwright-core'
import { adminPassword, type System } from '../system.ts'

export interface Screen {
  name: string
  /** Where it is; `{id}` is the first row of `rows`. */
  address: string
  rows?: string
  /** Seen by somebody who is not signed in. */
  isOutside?: boolean
  /** What is done on it before the picture is taken. */
  act?: (page: Page, system: System) => Promise<void>
}

/** A list, and the pages of its first row. */
export const list = (
  name: string,
  address: string,
  rows: string,
  more: 'read' | 'write' = 'write',
): Screen[] => [
  { name, address },
  { name: `${name}-detail`, address: `${address}/{id}`, rows },
  ...(more === 'write'
    ? [
        { name: `${name}-create`, address: `${address}/create` },
        { name: `${name}-update`, address: `${address}/{id}/update`, rows },
      ]
    : []),
]

/** Presses a button, and waits for the dialog it opens. */
export const press = (name: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').first().waitFor()
}
/** Ticks the first row, and presses an entry of the menu for those that are ticked. */
export const pressForTicked = (entry: RegExp) => async (page: Page) => {
  await page.locator('tbody input[type=checkbox]').first().check()
  await page
    .getByRole('button', { name: /^(Actions|操作)/u })
    .first()
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
  await page.getByRole('dialog').first().waitFor()
}

/** The tabs of a row's page besides the first. */
export const tabs = (name: string, address: string, rows: string, names: readonly string[]): Screen[] =>
  names.map((tab) => ({ name: `${name}-${tab}`, address: `${address}/{id}?activeTab=${tab}`, rows }))

/** Proves who is there, where that is asked before what was pressed. */
export const prove = async (page: Page, found: string) => {
  const password = page.locator('[role=dialog] input[type=password]')
  const wanted = page.locator(found)
  await password.or(wanted).first().waitFor()
  if (await password.isVisible()) {
    await password.fill(adminPassword)
    await page.keyboard.press('Enter')
  }
  await wanted.first().waitFor()
}
