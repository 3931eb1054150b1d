import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sharedBrowser } from '../../testing/browser.ts'
import { FakeServer } from '../testing/api.ts'

let browser: Browser
let server: FakeServer
let page: Page
let origin: string
const pageErrors: string[] = []

beforeAll(async () => {
  browser = await sharedBrowser()
}, 60_000)

beforeEach(async () => {
  server = new FakeServer()
  origin = await server.start()
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  page = await context.newPage()
  page.setDefaultTimeout(30_000)
  pageErrors.length = 0
  page.on('pageerror', (error) => pageErrors.push(String(error)))
})

afterEach(async () => {
  await page.context().close()
  await server.stop()
  expect(pageErrors).toEqual([])
})

const screen = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('.panel:not([hidden]) .xterm-rows > div')]
      .map((row) => (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd())
      .join('\n'),
  )

const untilShown = (text: string | RegExp) => expect.poll(screen).toMatch(text)

async function openTerminal(name = 'web-01') {
  await page.goto(`${origin}/luna/`)
  await page.getByRole('treeitem', { name }).click()
  await untilShown(/^\$/m)
}

describe('the terminal workspace', () => {
  it('connects to an asset of the tree without asking where there is one way only, and runs what is typed', async () => {
    await openTerminal()
    await page.keyboard.type('echo $((6*7)) 漢字 😀\n')
    await untilShown(/\n42 漢字 😀/)
    expect(server.tokens[0]?.body).toMatchObject({
      asset: 'a1',
      account: 'root',
      protocol: 'ssh',
      connect_method: 'web_cli',
    })
    const [size] = server.gateway.lastSession.sizes
    expect(size?.cols).toBeGreaterThan(80)
    await page.setViewportSize({ width: 800, height: 500 })
    await expect.poll(() => server.gateway.lastSession.sizes.at(-1)?.cols).toBeLessThan(size?.cols ?? 0)
  })

  it('opens one recorded session when an asset of the tree or of the search is double-clicked', async () => {
    await page.goto(`${origin}/luna/`)
    await page.getByRole('treeitem', { name: 'web-01' }).dblclick()
    await untilShown(/^\$/m)
    await page.getByLabel('Search name or address').fill('web')
    await page.getByRole('option', { name: /web-01/ }).dblclick()
    await page.getByRole('tab', { name: 'web-01 (2)' }).waitFor()
    await untilShown(/^\$/m)
    expect(await page.getByRole('tab').count()).toBe(2)
    expect(server.tokens).toHaveLength(2)
  })

  it('shows the number of a second terminal on an asset where its name does not fit', async () => {
    await openTerminal()
    const tabs = page.getByRole('tab')
    await tabs.first().press('F2')
    const long = 'a long name of an asset in the far north of the plant'
    await page.getByLabel('Rename', { exact: true }).fill(`${long} (2)`)
    await page.keyboard.press('Enter')
    // The number ends where the tab's text ends, not behind its edge.
    const isInside = await tabs
      .first()
      .locator('.tab-title')
      .evaluate((title) => {
        const range = document.createRange()
        range.selectNodeContents(title.lastChild ?? title)
        return range.getBoundingClientRect().right <= title.getBoundingClientRect().right + 1
      })
    await page.getByRole('tab', { name: `${long} (2)` }).waitFor()
    expect(isInside).toBe(true)
  })

  it('is shown as connected once the asset was reached, and not before', async () => {
    const asset = Promise.withResolvers<void>()
    server.gateway.reached = asset.promise
    await page.goto(`${origin}/luna/`)
    await page.getByRole('treeitem', { name: 'web-01' }).click()
    await page.getByRole('status').getByText('Connecting…').waitFor()
    await page.locator('.tab-state.is-connecting').waitFor()
    asset.resolve()
    await page.locator('.tab-state.is-live').waitFor()
    await page.getByText('Connecting…').waitFor({ state: 'detached' })
  })

  it('finds assets on the server by keyboard alone and opens a second terminal on the same host', async () => {
    await openTerminal()
    await page.keyboard.press('Control+Shift+F')
    await page.keyboard.type('web')
    await page.getByRole('option', { name: /web-01/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: /web-01 \(2\)/ }).waitFor()
    await untilShown(/^\$/m)
    await page.keyboard.type('echo second\n')
    await untilShown(/\nsecond/)
    await page.keyboard.press('Control+Shift+ArrowLeft')
    await expect.poll(screen).not.toContain('second')
    expect(server.gateway.sessions.size).toBe(2)
  })

  it('asks for account and secret where several are granted, and tells a refusal in a sentence', async () => {
    await page.goto(`${origin}/luna/`)
    await page.getByRole('treeitem', { name: 'db-01' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: /Connect to db-01/ })
    // It begins with what is asked, not with the button that closes it.
    const isAsked = () => dialog.locator('.dialog-body :focus').count()
    await expect.poll(isAsked).toBe(1)
    await dialog.getByLabel('Account').selectOption({ label: 'Manual input' })
    await dialog.getByLabel('Username').fill('deploy')
    await dialog.getByLabel('Password').fill('s3cret')
    server.refuseToken = { code: 'acl_reject', detail: 'ACL reject' }
    await page.keyboard.press('Enter')
    await dialog
      .getByRole('alert')
      .getByText(/rule of your organization/)
      .waitFor()
    await page.getByLabel('Password').press('Enter')
    await untilShown(/^\$/m)
    expect(server.tokens[0]?.body).toMatchObject({
      account: '@INPUT',
      input_username: 'deploy',
      input_secret: 's3cret',
    })
  })

  it('takes a session up again after its connection is lost, with the screen as it was', async () => {
    await openTerminal()
    await page.keyboard.type('echo before\n')
    await untilShown(/\nbefore/)
    server.gateway.isDown = true
    server.gateway.lastSession.cut()
    await page.getByText(/Connection lost/).waitFor()
    server.gateway.isDown = false
    await page.getByText(/Connection lost/).waitFor({ state: 'detached' })
    await untilShown(/\nbefore/)
    await page.keyboard.type('echo after\n')
    await untilShown(/\nafter/)
    expect(server.gateway.sessions.size).toBe(1)
  })

  it('goes on trying for its session while the server has not heard of the gateway yet', async () => {
    await openTerminal()
    server.gateway.isUnheard = true
    const tried = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('close'))
    server.gateway.lastSession.cut()
    await tried
    await page.getByText(/Connection lost/).waitFor()
    server.gateway.isUnheard = false
    await page.getByText(/Connection lost/).waitFor({ state: 'detached' })
    await page.keyboard.type('echo after\n')
    await untilShown(/\nafter/)
  })

  it('says within seconds that a gateway answers no more, and takes the session up again once it does', async () => {
    await page.clock.install()
    await openTerminal()
    const pinged = async () => {
      const before = server.gateway.pings
      await page.clock.runFor(5000)
      await expect.poll(() => server.gateway.pings).toBeGreaterThan(before)
    }
    for (let answered = 0; answered < 4; answered++) await pinged()
    expect(await page.getByText(/Connection lost/).count()).toBe(0)
    server.gateway.isMute = true
    server.gateway.isDown = true
    await pinged()
    await page.clock.runFor(15_000)
    await page.getByText(/Connection lost/).waitFor()
    server.gateway.isMute = false
    server.gateway.isDown = false
    await page.clock.runFor(6000)
    await page.getByText(/Connection lost/).waitFor({ state: 'detached' })
    await page.keyboard.type('echo after\n')
    await untilShown(/\nafter/)
    expect(server.gateway.sessions.size).toBe(1)
  })

  it('notices a connection that is lost within its first seconds', async () => {
    await page.clock.install()
    await openTerminal()
    // It is asked at once, and not after the five seconds to the next time.
    await expect.poll(() => server.gateway.pings, { timeout: 3000 }).toBe(1)
    server.gateway.isMute = true
    server.gateway.isDown = true
    await page.clock.runFor(20_000)
    await page.getByText(/Connection lost/).waitFor()
  })

  it('keeps a terminal whose gateway never answers a PING', async () => {
    server.gateway.isMute = true
    await page.clock.install()
    await openTerminal()
    for (let seconds = 0; seconds < 60; seconds += 20) {
      const before = server.gateway.pings
      await page.clock.runFor(20_000)
      await expect.poll(() => server.gateway.pings).toBeGreaterThan(before)
    }
    expect(await page.getByText(/Connection lost/).count()).toBe(0)
  })

  describe('a long paste', () => {
    const paste = async (text: string) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
      await page.keyboard.press('Control+Shift+V')
    }
    /** With a program that shows nothing of it, whose gateway gives nothing on for now. */
    const open = async () => {
      await openTerminal()
      await page.keyboard.type('bind "set enable-bracketed-paste off"; stty -echo; clear; cat > /dev/null\n')
      // Cleared only once it runs: what is pasted at the prompt before would come in brackets.
      await expect.poll(async () => (await screen()).trim()).toBe('')
      server.gateway.isHolding = true
      session().typed.length = 0
    }
    const session = () => server.gateway.lastSession
    const typed = () => session().typed.join('')
    /** Two long texts that are not the same tell nobody anything: how far it is as it should be does. */
    const untilTyped = (text: string) =>
      expect
        .poll(() => {
          const all = typed()
          let same = 0
          while (same < all.length && all[same] === text[same]) same++
          return { same, length: all.length }
        })
        .toEqual({ same: text.length, length: text.length })
    const numbers = Array.from({ length: 60_000 }, (_none, at) => `${at}漢`).join(' ')
    const note = () => page.getByText(/Sending what was pasted: \d+ %/)

    it('waits in the page while the target takes no more, which is said, and arrives whole', async () => {
      await open()
      await paste(numbers)
      await note().waitFor()
      expect(session().mostTyped).toBeGreaterThan(64 * 1024)
      expect(session().mostTyped).toBeLessThanOrEqual(128 * 1024)
      await page.keyboard.type('then')
      server.gateway.giveOn()
      await untilTyped(`${numbers}then`)
      await note().waitFor({ state: 'detached' })
      expect(session().mostTyped).toBeLessThanOrEqual(128 * 1024)
    })

    it('goes on where the gateway has it after the connection was lost, with nothing missing and nothing twice', async () => {
      await open()
      await paste(numbers)
      await note().waitFor()
      server.gateway.isLosing = true
      session().giveOn()
      // What the page sends now does not arrive.
      await page.keyboard.type('then')
      session().cut()
      await page.getByText(/Connection lost/).waitFor()
      server.gateway.isLosing = false
      server.gateway.giveOn()
      await page.getByText(/Connection lost/).waitFor({ state: 'detached' })
      await untilTyped(`${numbers}then`)
    })

    it('is stopped with a button, and what is typed next is for what runs then', async () => {
      await open()
      await paste(numbers)
      await note().waitFor()
      const before = typed()
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await note().waitFor({ state: 'detached' })
      await page.keyboard.type('x')
      server.gateway.giveOn()
      await expect.poll(typed).toBe(`${before}x`)
    })

    it('is stopped with Ctrl-C, which is sent at once', async () => {
      await open()
      await paste(numbers)
      await note().waitFor()
      const before = typed()
      await page.keyboard.press('Control+C')
      await expect.poll(typed).toBe(`${before}\u0003`)
      await note().waitFor({ state: 'detached' })
    })

    it('that is too long is refused with how much can be pasted', async () => {
      await openTerminal()
      await paste('x'.repeat(1_000_001))
      await page
        .getByText('This is too much text: at most 1,000,000 characters can be pasted at once.')
        .waitFor()
    })

    it('goes to a gateway that does not count at once', async () => {
      server.gateway.isUncounting = true
      await open()
      await paste(numbers)
      await untilTyped(numbers)
    })
  })

  it('says who ended the session and opens a new one in the same place on request', async () => {
    await openTerminal()
    server.gateway.lastSession.end({ reason: 'killed', message: 'This session was ended by Eve' })
    await page.getByText('This session was ended by Eve').waitFor()
    await page.getByRole('button', { name: 'Reconnect' }).click()
    await expect.poll(() => server.gateway.sessions.size).toBe(2)
    await untilShown(/^\$/m)
    expect(await page.getByRole('tab').count()).toBe(1)
  })

  it('leads the keyboard out of a terminal whose session ended, to what is offered, and what it showed can be copied', async () => {
    await openTerminal()
    await page.keyboard.type('echo before\n')
    await untilShown(/\nbefore/)
    server.gateway.lastSession.end({ reason: 'idle', message: 'Ended after 5 minutes without input' })
    const alert = page.getByRole('alert')
    const again = alert.getByRole('button', { name: 'Reconnect' })
    await expect.poll(() => alert.evaluate((bar) => bar === document.activeElement)).toBe(true)
    // What was still meant for the session that ended begins no other.
    await page.keyboard.type(' rm -v *\n')
    expect(server.gateway.sessions.size).toBe(1)
    await page.keyboard.press('Tab')
    expect(await again.evaluate((button) => button === document.activeElement)).toBe(true)
    // Whoever hears the page is told why, with what is offered.
    const why = await again.evaluate(
      (button) => document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent,
    )
    expect(why).toBe('Ended after 5 minutes without input')
    const terminal = page.getByRole('textbox', { name: 'Terminal input' })
    const isInTerminal = () => terminal.evaluate((input) => input === document.activeElement)
    await page.keyboard.press('Shift+Tab')
    expect(await isInTerminal()).toBe(true)
    const shown = await page.locator('.xterm-rows > div', { hasText: /^before/ }).boundingBox()
    await page.mouse.dblclick((shown?.x ?? 0) + 12, (shown?.y ?? 0) + 8)
    await page.keyboard.press('Control+Shift+C')
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('before')
    await page.keyboard.press('Tab')
    expect(await isInTerminal()).toBe(false)
    expect(await again.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => server.gateway.sessions.size).toBe(2)
    await untilShown(/^\$/m)
    await expect.poll(isInTerminal).toBe(true)
  })

  it('leaves the keyboard where it is when a session ends behind it', async () => {
    await openTerminal()
    const search = page.getByLabel('Search name or address')
    await search.focus()
    server.gateway.lastSession.end({ reason: 'killed', message: 'This session was ended by Eve' })
    await page.getByRole('button', { name: 'Reconnect' }).waitFor()
    expect(await search.evaluate((input) => input === document.activeElement)).toBe(true)
  })

  it('tells somebody who was disabled so, and not besides that terminals go on without a login', async () => {
    await page.clock.install()
    await openTerminal()
    server.isSignedIn = false
    const sentence = 'Disconnected: your user account was disabled by Eve'
    server.gateway.lastSession.end({ reason: 'user_disabled', message: sentence })
    await page.getByText(sentence).waitFor()
    const refused = page.waitForResponse((response) => response.status() === 401)
    await page.clock.fastForward(61_000)
    await refused
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    expect(await page.getByRole('alert').allTextContents()).toEqual([sentence])

    // Logged in again, the page is covered when that login ends.
    const comeBack = async () => {
      const asked = page.waitForResponse((response) => response.url().includes('/users/profile/'))
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await asked
    }
    server.isSignedIn = true
    await comeBack()
    server.isSignedIn = false
    await comeBack()
    await page.getByRole('dialog', { name: 'Your login has ended' }).waitFor()
  })

  it('offers to log in where the login ended, and not to reconnect without one', async () => {
    await openTerminal()
    const sentence = 'You were logged out: your user was disabled or changed.'
    server.gateway.lastSession.end({ reason: 'refused', detail: 'sign_in_ended', message: sentence })
    const alert = page.getByRole('alert')
    await alert.getByText(sentence).waitFor()
    const again = alert.getByRole('link', { name: 'Log in' })
    expect(await again.getAttribute('href')).toBe('/core/auth/login/?next=%2Fluna%2F')
    expect(await alert.getByRole('button').count()).toBe(0)
  })

  it('is covered while its person is logged out, takes nothing typed, and goes on once the person is back', async () => {
    await openTerminal()
    const comeBack = () => page.evaluate(() => window.dispatchEvent(new Event('focus')))
    const cover = page.getByRole('dialog', { name: 'Your login has ended' })
    server.isSignedIn = false
    await comeBack()
    await cover.waitFor()
    for (let time = 0; time < 3; time++) await page.keyboard.press('Escape')
    await cover.waitFor()
    await page.keyboard.type('x')
    const again = cover.getByRole('link', { name: 'Log in' })
    expect(await again.getAttribute('href')).toBe('/core/auth/login/?next=%2Fui%2Flogged-in')
    // Of the terminal behind it nothing shines through.
    const ground = await cover.evaluate((one) => getComputedStyle(one, '::backdrop').backgroundColor)
    expect(ground).toMatch(/^rgb\(/)
    server.isSignedIn = true
    await comeBack()
    await cover.waitFor({ state: 'detached' })
    await page.keyboard.type('echo after\n')
    await untilShown(/\nafter/)
    expect(server.gateway.lastSession.typed.join('')).not.toContain('x')
  })

  it('ends and shows nothing any more when somebody else logs in in another window', async () => {
    await openTerminal()
    const { goodbyes } = server.gateway.lastSession
    server.userId = 'u2'
    const other = await page.context().newPage()
    await other.goto(`${origin}/luna/`)
    await page.getByRole('heading', { name: 'Another user is logged in' }).waitFor()
    expect(await page.locator('.xterm').count()).toBe(0)
    await expect.poll(() => server.gateway.lastSession.goodbyes).toBe(goodbyes + 1)
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByRole('treeitem', { name: 'web-01' }).waitFor()
  })

  it('shows who looks at it in its watermark', async () => {
    await openTerminal()
    const image = await page.locator('.watermark').getAttribute('style')
    expect(decodeURIComponent(image ?? '')).toMatch(/>Ann\(ann\)<.*>web-01</u)
  })

  it('sends somebody who logs in for the first time to the page of the first login, which leads back', async () => {
    server.isFirstLogin = true
    const led = page.waitForRequest(/\/ui\/profile\/improvement/u)
    await page.goto(`${origin}/luna/connect?login_to=a1`)
    expect((await led).url()).toContain('?next=%2Fluna%2Fconnect%3Flogin_to%3Da1')
  })

  it('goes on saying why the asset it was opened for was not, until it is', async () => {
    const { assets } = server
    server.assets = []
    await page.goto(`${origin}/luna/?login_to=a1`)
    const alert = page.getByRole('alert').filter({ hasText: 'The asset was not opened' })
    await alert.getByText(/not granted to you/).waitFor()
    server.assets = assets
    await alert.getByRole('button', { name: 'Try again' }).click()
    await untilShown(/^\$/m)
    expect(await alert.count()).toBe(0)
  })

  it('stays usable while a program floods the terminal, and never holds more than the window under way', async () => {
    await openTerminal()
    await page.keyboard.type('yes $(printf %0100d)\n')
    await expect.poll(() => server.gateway.lastSession.shown.length).toBeGreaterThan(50)
    // The flood never ends by itself.
    await page.getByRole('button', { name: 'Terminal settings' }).click()
    await page.getByRole('dialog', { name: 'Terminal settings' }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.panel:not([hidden]) .xterm').click()
    await page.keyboard.press('Control+C')
    await page.keyboard.type('echo flood-$((1+1))\n')
    await untilShown(/\nflood-2/)
    expect(server.gateway.lastSession.mostUnacknowledged).toBeLessThanOrEqual(1024 * 1024)
  })

  it('copies what is selected and asks before several lines are pasted into a shell', async () => {
    await openTerminal()
    // a plain shell without bracketed paste runs each line at once
    await page.keyboard.type('bind "set enable-bracketed-paste off"; clear; echo copy-me\n')
    await untilShown(/copy-me/)
    await page.locator('.xterm-rows').getByText('copy-me', { exact: true }).dblclick({ force: true })
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('copy-me')
    await page.keyboard.press('Control+C')
    await page.evaluate(() => navigator.clipboard.readText())
    expect(server.gateway.lastSession.typed.join('')).not.toContain('\u0003')
    await page.evaluate(() => navigator.clipboard.writeText('echo one\necho two\n'))
    await page.keyboard.press('Control+Shift+V')
    const dialog = page.getByRole('dialog', { name: 'Paste 2 lines?' })
    await dialog.waitFor()
    expect(server.gateway.lastSession.typed.join('')).not.toContain('echo one')
    await dialog.getByRole('button', { name: 'Paste' }).click()
    await untilShown(/\ntwo/)
  })

  it('asks for a typed secret again once the server has forgotten it, and reconnects in the same tab', async () => {
    await page.goto(`${origin}/luna/`)
    await page.getByRole('treeitem', { name: 'db-01' }).click()
    const dialog = page.getByRole('dialog', { name: /Connect to db-01/ })
    await dialog.getByLabel('Account').selectOption({ label: 'Manual input' })
    await dialog.getByLabel('Username').fill('deploy')
    await dialog.getByLabel('Password').fill('s3cret')
    await page.keyboard.press('Enter')
    await untilShown(/^\$/m)
    server.gateway.lastSession.end({ reason: 'idle', message: 'Disconnected: nothing happened' })
    server.refuseToken = { code: 'not_found', detail: 'Not found.' }
    await page.getByRole('button', { name: 'Reconnect' }).click()
    await dialog.getByLabel('Username').fill('deploy')
    await dialog.getByLabel('Password').fill('again')
    await page.keyboard.press('Enter')
    await expect.poll(() => server.gateway.sessions.size).toBe(2)
    expect(await page.getByRole('tab').count()).toBe(1)
    expect(server.tokens.at(-1)?.body).toMatchObject({ input_secret: 'again' })
  })

  it('gives the command line for an SSH client of one’s own when asked how to connect', async () => {
    await page.goto(`${origin}/luna/`)
    await page.getByRole('treeitem', { name: 'web-01' }).press('Shift+Enter')
    await page.getByRole('dialog').getByLabel('SSH', { exact: true }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Connect' }).click()
    await page.getByText('ssh JMS-token-1@127.0.0.1 -p 2222').waitFor()
    expect(await page.getByRole('dialog').textContent()).not.toContain('vvvv')
    expect(server.tokens[0]?.body).toMatchObject({ connect_method: 'ssh' })
  })

  it('ends the session at once when its page is closed, and sends a person without a login to the sign-in page', async () => {
    await openTerminal()
    const ended = server.gateway.lastSession
    await page.close({ runBeforeUnload: false })
    await expect.poll(() => ended.goodbyes).toBe(1)
    server.isSignedIn = false
    page = await browser.newPage()
    await page.goto(`${origin}/luna/connect?login_to=a1`)
    await expect.poll(() => page.url()).toContain('/core/auth/login/?next=%2Fluna%2Fconnect%3Flogin_to%3Da1')
  })

  it('gives a phone the keys its keyboard lacks, in the person’s language, without leaving the screen', async () => {
    const phone = await browser.newContext({
      locale: 'ja',
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
    })
    await page.context().close()
    page = await phone.newPage()
    await page.goto(`${origin}/luna/`)
    await page.getByRole('heading', { name: 'マイ資産' }).waitFor()
    await page.getByRole('treeitem', { name: 'web-01' }).tap()
    await untilShown(/^\$/m)
    // Nothing else than the theme's ground between the last row and the keys.
    const ground = page.locator('.xterm-viewport')
    expect(await ground.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgba(0, 0, 0, 0)')
    await page.keyboard.type('echo from-history\n')
    await untilShown(/\nfrom-history/)
    const keys = page.getByRole('toolbar', { name: '追加キー' })
    await keys.getByRole('button', { name: '↑' }).tap()
    await keys.getByRole('button', { name: 'Ctrl' }).tap()
    await page.keyboard.type('c')
    await untilShown(/\^C/)
    expect(server.gateway.lastSession.typed.slice(-2)).toEqual(['\u001b[A', '\u0003'])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
  })

  it('keeps the terminal in view where the window becomes too narrow for the assets beside it', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await openTerminal()
    await page.getByRole('tree', { name: 'My assets' }).waitFor()
    await page.setViewportSize({ width: 390, height: 780 })
    await page.getByRole('tree', { name: 'My assets' }).waitFor({ state: 'detached' })
  })

  it('shows the terminal it was opened for where there is only room for that', async () => {
    await page.setViewportSize({ width: 390, height: 780 })
    await page.goto(`${origin}/luna/?login_to=a1`)
    await untilShown(/^\$/m)
    expect(await page.getByRole('tree', { name: 'My assets' }).count()).toBe(0)
  })

  it('asks before a running terminal is closed', async () => {
    await openTerminal()
    await page.getByTitle('Close web-01').click()
    await page
      .getByRole('dialog', { name: 'End the session?' })
      .getByRole('button', { name: 'End and close' })
      .click()
    await page.getByRole('heading', { name: 'Choose an asset' }).waitFor()
    await expect.poll(() => server.gateway.lastSession.goodbyes).toBe(1)
  })
})
