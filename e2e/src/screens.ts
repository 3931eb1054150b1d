/** Every screen there is and how one gets to it, for those who walk them all: the pictures, and the test of accessibility. */
import type { Page } from 'playwright-core'
import { inside } from './screens/inside.ts'
import { outside } from './screens/outside.ts'
import type { Screen } from './screens/screen.ts'
import type { System } from './system.ts'

export type { Screen }

export const screens: readonly Screen[] = [...outside, ...inside]

/** Where a screen is in this system; undefined when there is no row to show. */
export async function addressOf(screen: Screen, system: System): Promise<string | undefined> {
  if (screen.rows === undefined) return screen.address
  const separator = screen.rows.includes('?') ? '&' : '?'
  const { results } = await system.admin.get<{ results: { id: string }[] }>(
    `/api/v1/${screen.rows}${separator}limit=1&offset=0`,
  )
  const [row] = results
  return row && screen.address.replace('{id}', row.id)
}

/** Colours that are on their way to others are neither, and what comes in is not there yet; what turns for ever is not waited for. */
export const untilStill = (page: Page) =>
  page.evaluate(`Promise.all(
    document.getAnimations()
      .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity)
      .map((one) => one.finished.catch(() => undefined)),
  ).then(() => undefined)`)

/** The pages on which screens are opened: the administrator's, and that of somebody who is not signed in. */
export interface Pages {
  inside: Page
  outside: Page
}

/** The pages on which screens are opened: the administrator's, and that of somebody who is not signed in. */
export interface Pages {
  inside: Page
  outside: Page
}

/** Opens a screen and does on it what it takes to see what it is about. */
export async function openScreen(
  pages: Pages,
  system: System,
  screen: Screen,
  address: string,
): Promise<void> {
  const page = pageOf(screen, pages)
  if (screen.isOutside) await page.context().clearCookies({ name: 'jms_sessionid' })
  await page.goto(`${system.origin}${address}`)
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
  await screen.act?.(page, system)
  await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined)
  await untilStill(page)
}

export const pageOf = (screen: Screen, { inside, outside }: Pages) => (screen.isOutside ? outside : inside)
