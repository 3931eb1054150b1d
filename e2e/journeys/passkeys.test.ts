/** Passkeys with a virtual authenticator in a real browser, in the place of a password and after it. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fillSignIn, openBrowser, openVisit } from '../src/browser.ts'
import { startSystem, type System } from '../src/system.ts'
import { addPerson, type Person } from '../src/world.ts'

const testTimeoutMs = 90_000
let system: System
let browser: Browser
let person: Person
let page: Page
let complaints: string[]
/** Browsers make passkeys for names, not for bare addresses. */
let origin: string
const sent: string[] = []

beforeAll(async () => {
  ;[system, browser] = await Promise.all([startSystem({}, { withGateway: false }), openBrowser()])
  origin = system.origin.replace('127.0.0.1', 'localhost')
  person = await addPerson(system.admin)
  ;({ page, complaints } = await openVisit(browser))
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  page.on('request', (request) => {
    if (request.url().includes('/login/passkey/')) sent.push(request.postData() ?? '')
  })
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
})

const menu = () => page.getByRole('navigation', { name: 'Main menu' })
const signOut = () => page.goto(`${origin}/core/auth/logout/`)
const usePasskey = () => page.getByRole('button', { name: 'Log in with a passkey' }).click()

it(
  'a passkey is added after the password was asked again, and is enough to log in',
  async () => {
    await page.goto(`${origin}/ui/profile/login-security`)
    await fillSignIn(page, person)
    await page.getByLabel('Name of the passkey').fill('My laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(person.password)
    await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('My laptop').waitFor()
    await signOut()
    await usePasskey()
    await menu().waitFor()
    expect(complaints).toEqual([])
  },
  testTimeoutMs,
)

it(
  'what a passkey signed is good once',
  async () => {
    await signOut()
    await page.getByLabel('Username').waitFor()
    const status = await page.evaluate(
      async (body) => {
        const csrf = /jms_csrftoken=([^;]+)/u.exec(document.cookie)?.[1] ?? ''
        const answer = await fetch('/core/auth/login/passkey/', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrftoken': csrf },
          body,
        })
        return [answer.status, ((await answer.json()) as { error: string }).error]
      },
      sent.at(-1) ?? '',
    )
    expect(status).toEqual([400, 'passkey_failed'])
  },
  testTimeoutMs,
)

it(
  'after the password a passkey stands in for the code, and is taken away when an administrator resets MFA',
  async () => {
    await system.admin.patch(`/api/v1/users/users/${person.id}/`, { mfa_level: 2 })
    await signOut()
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'Second factor', exact: true }).waitFor()
    await usePasskey()
    await menu().waitFor()
    await system.admin.get(`/api/v1/users/users/${person.id}/mfa/reset/`)
    await signOut()
    await usePasskey()
    await page.getByText('The passkey was not accepted').waitFor()
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  },
  testTimeoutMs,
)
