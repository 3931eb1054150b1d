/** Signing in with a second factor, at the browser and with OpenSSH, against the real system. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { authenticator, type Authenticator } from '../src/authenticator.ts'
import { fillSignIn, openBrowser, openVisit } from '../src/browser.ts'
import { ssh } from '../src/ssh.ts'
import { startSystem, type System } from '../src/system.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

const testTimeoutMs = 90_000

let system: System
let browser: Browser
let sshd: TestSshd
let person: Person
let app: Authenticator
let page: Page
let recoveryCode: string

beforeAll(async () => {
  ;[sshd, system, browser] = await Promise.all([startSshd(), startSystem(), openBrowser()])
  const host = await addHost(system.admin, { port: sshd.port })
  await addAccount(system.admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
  person = await addPerson(system.admin)
  await grant(system.admin, { users: [person.id], assets: [host.id] })
  await system.admin.patch(`/api/v1/users/users/${person.id}/`, { mfa_level: 2 })
  ;({ page } = await openVisit(browser))
})
afterAll(async () => {
  await browser?.close()
  await system?.stop()
  await sshd?.stop()
})

const signOut = () => page.goto(`${system.origin}/core/auth/logout/`)
const menu = () => page.getByRole('navigation', { name: 'Main menu' })
const enterCode = async (code: string) => {
  await page.getByRole('textbox', { name: /code/i }).fill(code)
  await page.keyboard.press('Enter')
}
const direct = () => ({
  port: system.sshPort,
  login: `${person.username}@${sshd.username}@127.0.0.1`,
})

it('OpenSSH is told to set it up first, by somebody who must have one and has none', async () => {
  const given = { ...direct(), password: person.password }
  const refused = await ssh(given, 'true', undefined, ['-oLogLevel=INFO'])
  expect(refused.code).toBe(255)
  expect(refused.stderr).toContain('MFA unset, please set first')
})

it(
  'whoever must have a second factor sets it up on the way in, and keeps recovery codes',
  async () => {
    await page.goto(`${system.origin}/ui/profile/info`)
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
    await page.getByRole('button', { name: 'Show the QR code' }).click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    app = authenticator((await page.locator('[data-shown=true]').textContent()) ?? '')
    await page.getByLabel('Code of the app').fill('000000')
    await page.getByRole('button', { name: 'Check and set up' }).click()
    await page.getByText('The code is wrong.').waitFor()
    await page.getByLabel('Code of the app').fill(await app.next())
    await page.getByRole('button', { name: 'Check and set up' }).click()
    await page.getByText('Keep these recovery codes').waitFor()
    const codes = await page.getByRole('listitem').allTextContents()
    expect(codes).toHaveLength(10)
    recoveryCode = codes[0] ?? ''
    // Half a sign-in: another page of this browser is asked to log in.
    const other = await page.context().newPage()
    await other.goto(`${system.origin}/ui/profile/info`)
    await other.getByLabel('Username').waitFor()
    await other.close()
    await page.getByLabel('I have kept the recovery codes').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Account information' }).waitFor()
  },
  testTimeoutMs,
)

it(
  'the code of the app is asked for after the password, once for each sign-in, and survives a reload',
  async () => {
    await signOut()
    await fillSignIn(page, person)
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
    await enterCode('000000')
    await page.getByText('The code is wrong').waitFor()
    await page.goto(`${system.origin}/core/auth/login/mfa/`)
    const code = await app.next()
    await enterCode(code)
    await menu().waitFor()

    await signOut()
    await fillSignIn(page, person)
    await enterCode(code)
    await page.getByText('The code is wrong, or was used already').waitFor()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await enterCode(recoveryCode)
    await menu().waitFor()
  },
  testTimeoutMs,
)

it(
  'OpenSSH asks for the code after the password, and after a key',
  async () => {
    const withPassword = await ssh(
      { ...direct(), password: person.password, code: await app.next() },
      'echo inside',
    )
    expect({ ...withPassword, stdout: String(withPassword.stdout) }).toMatchObject({
      code: 0,
      stdout: 'inside\n',
    })
    const keyFile = join(await mkdtemp(join(tmpdir(), 'sallyport-key-')), 'key')
    await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', keyFile])
    await system.admin.patch(`/api/v1/users/users/${person.id}/`, {
      public_key: await readFile(`${keyFile}.pub`, 'utf8'),
    })
    const withKey = await ssh({ ...direct(), keyFile, code: await app.next() }, 'echo inside')
    expect({ ...withKey, stdout: String(withKey.stdout) }).toMatchObject({ code: 0, stdout: 'inside\n' })
    const wrong = await ssh({ ...direct(), keyFile, code: '000000' }, 'echo inside')
    expect(wrong.code).toBe(255)
    expect(String(wrong.stdout)).toBe('')
  },
  testTimeoutMs,
)
