import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sharedBrowser } from '../../testing/browser.ts'
import { FakeServer } from '../testing/api.ts'
import { errorOutput, mark, output, recordingOf, resize, snapshot } from '../testing/recording-fixture.ts'
import { sessionRow } from '../testing/rows.ts'

const timeout = 20_000
const size = { cols: 80, rows: 24 }
const minute = 60_000
const startedMs = Date.UTC(2026, 10, 20, 10, 0, 0)

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
  page = await browser.newPage({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(8000)
  pageErrors.length = 0
  page.on('pageerror', (error) => pageErrors.push(String(error)))
  server.sessions.set(
    's1',
    sessionRow('s1', { user: 'Bob(bob)', date_start: new Date(startedMs).toISOString() }),
  )
})

afterEach(async () => {
  await page.close()
  await server.stop()
  expect(pageErrors).toEqual([])
})

const screen = () =>
  page.evaluate(() =>
    [...document.querySelectorAll('.xterm-rows > div')]
      .map((row) => (row.textContent ?? '').replaceAll('\u00a0', ' ').trimEnd())
      .join('\n'),
  )

const untilShown = (text: string | RegExp) => expect.poll(screen).toMatch(text)

const seekTo = (ms: number) =>
  page.getByRole('slider', { name: 'Position' }).evaluate((slider: HTMLInputElement, value) => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, String(value))
    slider.dispatchEvent(new Event('input', { bubbles: true }))
  }, ms)

/** An hour, a chunk each minute, a screen snapshot every ten; each minute says its number. */
const hourLong = () =>
  recordingOf(
    size,
    Array.from({ length: 60 }, (_, at) => [
      ...(at % 10 === 0 ? [snapshot(at * minute, size, `screen of minute ${at}\r\n`)] : []),
      output(at * minute, `minute ${at}\r\n`),
    ]),
  )

describe('the replay page', () => {
  it(
    'plays with the recorded timing, and shortens pauses unless told not to',
    async () => {
      server.recordings.set(
        's1',
        recordingOf(size, [
          [
            output(0, 'first\r\n'),
            output(30 * minute, 'after a long pause\r\n'),
            output(30 * minute + 60_000, 'end'),
          ],
        ]),
      )
      await page.goto(`${origin}/luna/replay/s1`)
      await untilShown(/first/)
      // Who looks, and not who is looked at.
      const watermark = await page.locator('.watermark').getAttribute('style')
      expect(decodeURIComponent(watermark ?? '')).toMatch(/>Ann\(ann\)<.*>web-01\(10\.1\.1\.5\)</u)
      await untilShown(/after a long pause/)
      await page.getByRole('checkbox', { name: 'Skip pauses' }).uncheck()
      await page.getByRole('button', { name: 'Back to the beginning' }).click()
      await page.waitForTimeout(1500)
      expect(await screen()).not.toContain('after a long pause')
    },
    timeout,
  )

  it(
    'seeks in a long recording by its screen snapshots and reads only the parts it needs',
    async () => {
      server.recordings.set('s1', hourLong())
      await page.goto(`${origin}/luna/replay/s1`)
      await untilShown(/minute 0/)
      await page.getByRole('button', { name: 'Pause', exact: true }).click()
      await seekTo(45.5 * minute)
      await untilShown(
        /^screen of minute 40\nminute 40\nminute 41\nminute 42\nminute 43\nminute 44\nminute 45$/m,
      )
      expect(server.fetchedChunks.filter((number) => number > 10 && number <= 40)).toEqual([])
      await seekTo(12.5 * minute)
      await untilShown(/^screen of minute 10\nminute 10\nminute 11\nminute 12$/m)
      expect(await screen()).not.toContain('minute 40')
      expect(server.fetchedChunks.length).toBeLessThan(20)
    },
    timeout,
  )

  it(
    'lists the commands, finds one on the server, and jumps to the moment it was typed',
    async () => {
      server.recordings.set('s1', hourLong())
      for (let at = 0; at < 40; at += 1) {
        const input = at === 33 ? 'systemctl stop nginx' : `ls ${at}`
        const risk_level = at === 33 ? { value: 5, label: 'Dangerous' } : { value: 0, label: 'Ordinary' }
        server.commands.push({
          id: `c${at}`,
          input,
          output: '',
          timestamp: startedMs / 1000 + at * 60,
          millisecond: 0,
          risk_level,
        })
      }
      await page.goto(`${origin}/luna/replay/s1`)
      await page.getByRole('searchbox', { name: 'Search in commands' }).fill('nginx')
      await page.getByRole('button', { name: /systemctl stop nginx/ }).click()
      await untilShown(/^screen of minute 30[^]*minute 33$/m)
    },
    timeout,
  )

  it(
    'follows the sizes the terminal had',
    async () => {
      server.recordings.set(
        's1',
        recordingOf(size, [
          [output(0, 'small'), resize(100, 120, 40), output(200, `\r\n${'x'.repeat(120)}`), output(500, '')],
        ]),
      )
      await page.goto(`${origin}/luna/replay/s1`)
      await untilShown(new RegExp(`^x{120}$`, 'm'))
    },
    timeout,
  )

  it(
    'shows a command without a terminal with its exit status, sizes, hashes and what it wrote',
    async () => {
      const stream = (bytes: number, letter: string) => ({
        bytes,
        recorded_bytes: bytes,
        sha256: letter.repeat(64),
      })
      server.recordings.set(
        's1',
        recordingOf(size, [
          [
            mark(0, { kind: 'exec_start', command: 'cat /etc/hosts; false' }),
            output(10, '127.0.0.1 localhost\n'),
            errorOutput(20, 'cat: <b>no</b>\n'),
            mark(30, {
              kind: 'exec_end',
              exit: { kind: 'status', code: 3 },
              stdin: stream(0, 'a'),
              stdout: stream(20, 'b'),
              stderr: stream(15, 'c'),
            }),
          ],
        ]),
      )
      await page.goto(`${origin}/luna/replay/s1`)
      await page.getByText('cat /etc/hosts; false').waitFor()
      await page.getByText('Exit status: 3').waitFor()
      await page.getByRole('row', { name: /Error output 15 B 15 B c{64}/ }).waitFor()
      await page.getByText('127.0.0.1 localhost').waitFor()
      await page.getByText('cat: <b>no</b>').waitFor()
    },
    timeout,
  )

  it(
    'offers a choice where a session has several recordings, by keyboard too, and its address remembers it',
    async () => {
      const choice = () => page.getByRole('combobox', { name: 'Recording', exact: true })
      server.recordings.set('s1', recordingOf(size, [[output(0, 'on the screen'), output(65_000, '')]]))
      const ran = recordingOf(size, [
        [mark(0, { kind: 'exec_start', command: 'tar x' }), output(9000, 'files\n')],
      ])
      server.recordings.set('s1/2', { ...ran, index: { ...ran.index, kind: 'command' } })
      const tomorrow = recordingOf(size, [[output(0, 'pixels')]])
      server.recordings.set('s1/3', { ...tomorrow, index: { ...tomorrow.index, kind: 'screen' } })
      await page.goto(`${origin}/luna/replay/s1?timestamp=1`)
      await untilShown(/on the screen/)
      expect(await choice().locator('option').allTextContents()).toEqual([
        '1. Terminal · 1:05',
        '2. Command · 0:09',
        '3. Another kind of recording · 0:00',
      ])
      await page.getByRole('link', { name: 'Download' }).waitFor()
      await choice().focus()
      await page.keyboard.press('ArrowDown')
      await page.getByText('tar x').waitFor()
      expect(await page.getByRole('link', { name: 'Download' }).count()).toBe(0)
      expect(new URL(page.url()).search).toBe('?timestamp=1&recording=2')
      await page.keyboard.press('ArrowDown')
      await page.getByRole('heading', { name: 'Another kind of recording' }).waitFor()
      await page.getByText('This kind of recording cannot be shown by this version').waitFor()
      await page.keyboard.press('ArrowUp')
      await page.getByText('tar x').waitFor()
      await page.reload()
      await page.getByText('tar x').waitFor()
      expect(await choice().inputValue()).toBe('2')
      await choice().selectOption('1')
      await untilShown(/on the screen/)
    },
    timeout,
  )

  it(
    'offers none where a session has one recording, on servers that know of one only neither',
    async () => {
      server.recordings.set('s1', recordingOf(size, [[output(0, 'alone')]]))
      const listed = page.waitForResponse((response) => response.url().endsWith('/recordings/'))
      await page.goto(`${origin}/luna/replay/s1`)
      await untilShown(/alone/)
      await listed
      expect(await page.getByRole('combobox', { name: 'Recording', exact: true }).count()).toBe(0)
      await page.route('**/recordings/', (route) =>
        route.fulfill({ status: 404, json: { detail: 'Not found' } }),
      )
      await page.reload()
      await untilShown(/alone/)
      expect(await page.getByRole('combobox', { name: 'Recording', exact: true }).count()).toBe(0)
    },
    timeout,
  )

  it(
    'says so when there is no recording',
    async () => {
      await page.goto(`${origin}/luna/replay/s1`)
      await page.getByRole('heading', { name: /no recording of this session/ }).waitFor()
    },
    timeout,
  )
})
