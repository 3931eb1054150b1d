import { expect, test } from 'vitest'
import { browserName } from './browser-name.ts'

test.each([
  [
    '(X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Chrome',
    'Linux',
  ],
  [
    '(X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
    'Chrome',
    'Linux',
  ],
  [
    '(Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge',
    'Windows',
  ],
  ['(Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Windows'],
  [
    '(Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    '(iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iOS',
  ],
  [
    '(Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
])('a browser is called by its own name and its system: %s', (userAgent, browser, system) => {
  expect(browserName(`Mozilla/5.0 ${userAgent}`)).toEqual({ browser, system })
})

test('what names no browser that is known has no such name', () => {
  expect(browserName('curl/8.14.1')).toBeUndefined()
  expect(browserName('Mozilla/5.0 (X11; Linux x86_64)')).toBeUndefined()
})
