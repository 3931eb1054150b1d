/** The way in, step by step, and what is found by somebody who may do next to nothing. */
import { fillSignIn } from '../browser.ts'
import { type atTheDoor, doorPassword } from './ground.ts'
import type { Screen } from './screen.ts'

const signInAddress = '/core/auth/login/'

/** What somebody finds who gives a right name and password. */
const door = (name: string, username: keyof typeof atTheDoor, found: string): Screen => ({
  name: `sign-in-${name}`,
  address: signInAddress,
  isOutside: true,
  act: async (page) => {
    await fillSignIn(page, { username, password: doorPassword })
    await page.locator(found).first().waitFor()
  },
})
/** A page of the console as somebody sees it who may do next to nothing. */
const asGuest = (name: string, address: string): Screen => ({
  name,
  address: `${signInAddress}?next=${encodeURIComponent(address)}`,
  isOutside: true,
  act: async (page) => {
    await fillSignIn(page, { username: 'guest', password: doorPassword })
    await page.waitForURL((url) => !url.pathname.startsWith('/core'))
    await page.locator('main h1').waitFor()
  },
})
export const outside: readonly Screen[] = [
  { name: 'sign-in', address: signInAddress, isOutside: true },
  {
    name: 'sign-in-refused',
    address: signInAddress,
    isOutside: true,
    act: async (page) => {
      await page.locator('button[type=submit]').click()
      await page.getByRole('alert').first().waitFor()
    },
  },
  {
    name: 'sign-in-captcha',
    address: signInAddress,
    isOutside: true,
    act: async (page) => {
      // As after a wrong password; a real one would have everybody read pictures who comes from this address.
      await page.route('**/authentication/sign-in/**', async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ response: answer, json: { ...(await answer.json()), beside: 'captcha' } })
      })
      await page.reload()
      await page.locator('img[width="180"]').waitFor()
      await page.unrouteAll()
    },
  },
  door('code', 'coded', 'input[name=code]'),
  {
    ...door('recovery', 'coded', 'input[name=code]'),
    act: async (page) => {
      await fillSignIn(page, { username: 'coded', password: doorPassword })
      await page.locator('input[name=code]').waitFor()
      await page.locator('form + button').click()
      await page.locator('input[name=code][inputmode=text]').waitFor()
    },
  },
  {
    ...door('setup', 'uncoded', '.ant-btn-primary'),
    act: async (page) => {
      await fillSignIn(page, { username: 'uncoded', password: doorPassword })
      await page.locator('.ant-btn-primary').click()
      await page.locator('svg[role=img]').waitFor()
    },
  },
  door('new-password', 'outdated', 'input[autocomplete=new-password]'),
  door('waiting', 'reviewed', 'p[role=status]'),
  { name: 'sign-in-forgotten', address: '/core/auth/password/forgot/', isOutside: true },
  {
    name: 'sign-in-forgotten-code',
    address: '/core/auth/password/forgot/',
    isOutside: true,
    act: async (page) => {
      await page.locator('input[name=username]').fill('guest')
      await page.locator('input[name=email]').fill('guest@demo.example')
      await page.keyboard.press('Enter')
      await page.locator('input[name=code]').waitFor()
    },
  },
  {
    name: 'sign-in-forgotten-password',
    address: '/core/auth/password/reset/?token=used-up',
    isOutside: true,
  },
  asGuest('home-guest', '/ui/settings/license'),
  asGuest('tickets-none', '/ui/tickets/my-tickets'),
]
