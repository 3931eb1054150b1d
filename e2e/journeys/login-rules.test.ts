/** From where and when somebody may log in: an administrator says it, every door keeps it. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillSignIn, openBrowser, openVisit, signIn } from '../src/browser.ts'
import { ssh } from '../src/ssh.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'
import { addPerson } from '../src/world.ts'

let system: System
let browser: Browser
beforeAll(async () => {
  ;[system, browser] = await Promise.all([startSystem(), openBrowser()])
  // A program reads no picture; that one is asked for after a refusal has its own tests.
  const captchas = { SECURITY_LOGIN_CAPTCHA_ENABLED: false }
  await system.admin.patch('/api/v1/settings/setting/?category=security', captchas)
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
})

it('a rule that rejects is made in the console, keeps its person out of browser and SSH, and is switched off again', async () => {
  const person = await addPerson(system.admin)
  const admin = { username: 'admin', password: adminPassword }
  const { page, complaints } = await signIn(browser, system, admin, `/ui/console/users/users/${person.id}`)
  await page.getByRole('tab', { name: 'Login rules' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Create login rule' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Not from here')
  expect(await page.getByLabel('Monday').inputValue()).toBe('00:00~00:00')
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await page.getByRole('link', { name: 'Not from here' }).click()
  await page.getByText('Sunday: 00:00~24:00').waitFor()

  const { page: door } = await openVisit(browser)
  await door.goto(`${system.origin}/ui/`)
  await fillSignIn(door, person)
  await door.getByText('Your address or the time of day is not allowed').waitFor()
  const login = { port: system.sshPort, login: person.username, password: person.password }
  const refused = await ssh(login, 'true', undefined, ['-oLogLevel=INFO'])
  expect(refused.code).toBe(255)
  expect(refused.stderr).toContain('Your address or the time of day is not allowed')

  await page.getByRole('switch', { name: 'Activate' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Confirm|Disable/ })
    .click()
  await expect.poll(() => page.getByRole('switch', { name: 'Activate' }).isChecked()).toBe(false)
  await fillSignIn(door, person)
  await door.getByRole('navigation', { name: 'Main menu' }).waitFor()
  expect(complaints).toEqual([])
}, 90_000)
