import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { contrast, readableContrast } from './color.ts'
import { defaultColors, tokensOf, tones } from './tokens.ts'

const source = fileURLToPath(new URL('../../', import.meta.url))

/** The colours another system of this kind ships with; white on them could not be read. */
const paleColors = {
  ...defaultColors,
  '--color-primary': '#1ab394',
  '--color-success': '#2793d7',
  '--color-warning': '#f8ac59',
  '--color-danger': '#ed5565',
  '--banner-bg': '#148f76',
  '--menu-text': '#646a73',
  '--menu-text-active': '#1ab394',
}

const platforms = [
  ['the own colours', defaultColors],
  ['pale colours of a platform', paleColors],
  ['a dark menu', { ...defaultColors, '--menu-bg': '#1f2d3d', '--menu-text': '#333333' }],
] as const

const grounds = ['page', 'surface', 'elevated', 'fill', 'fill-strong', 'primary-soft'] as const
const texts = ['text', 'text-secondary', 'text-tertiary', 'link', ...tones] as const

for (const [name, colors] of platforms) {
  for (const isDark of [false, true]) {
    test(`every text can be read in ${isDark ? 'dark' : 'light'}, with ${name}`, () => {
      const tokens = tokensOf(colors, isDark)
      const pairs = [
        ...grounds.flatMap((ground) => texts.map((text) => [text, ground] as const)),
        ...tones.map((tone) => [tone, `${tone}-soft`] as const),
        ...(['success', 'warning', 'error', 'info'] as const).map(
          (tone) => ['text', `${tone}-soft`] as const,
        ),
        ['on-primary', 'primary'],
        ['on-primary', 'primary-strong'],
        ['on-primary', 'danger'],
        ['on-banner', 'banner'],
        ['menu-text', 'menu-ground'],
        ['menu-active', 'menu-hover'],
      ] as const
      const faint = pairs
        .map(([text, ground]) => ({ text, ground, contrast: contrast(tokens[text], tokens[ground]) }))
        .filter((pair) => pair.contrast < readableContrast)
      expect(faint).toEqual([])
    })
  }
}

/** What a control needs to be seen as one (WCAG 2.2, 1.4.11). */
const visibleContrast = 3

test.each([false, true])('the edge of a control can be seen on every ground (dark: %s)', (isDark) => {
  const tokens = tokensOf(defaultColors, isDark)
  const places = (['page', 'surface', 'elevated'] as const).map((ground) => ({
    ground,
    contrast: contrast(tokens['control-border'], tokens[ground]),
  }))
  expect(places.filter((place) => place.contrast < visibleContrast)).toEqual([])
})

/** Files that hold colours that are no part of the design: palettes of the terminal itself. */
const withColors = ['kit/theme/tokens.ts', 'kit/terminal/themes.ts']
const color =
  /#(?:[\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b(?!-)|\b(?:rgba?|hsla?|oklch)\(|:\s*(?:white|black)\b/giu

test('colours stand in the token file and nowhere else', () => {
  const files = globSync('**/*.{css,ts,tsx}', { cwd: source }).filter(
    (file) =>
      !withColors.includes(file) &&
      !file.includes('/testing/') &&
      !file.startsWith('testing/') &&
      !file.includes('.test.'),
  )
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap((file) =>
    readFileSync(source + file, 'utf8')
      .split('\n')
      .filter((line) => !line.trimStart().startsWith('*') && line.match(color))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

/** Distances up to the largest of the scale are of it; a hairline is one, and what is wider is the size of a thing. */
const distance = /^\s*(?:gap|row-gap|column-gap|padding|margin)[a-z-]*:.*?(?<![-\w.])(?:[2-9]|1\d|2[0-4])px/u
const size = /^\s*font(?:-size)?:.*?\d(?:px|r?em)/u
const radius = /^\s*border-[a-z-]*radius:.*?[1-9]\d*px/u

test('distances, sizes of type and radii stand in the token file and nowhere else', () => {
  const files = globSync('**/*.css', { cwd: source })
  expect(files.length).toBeGreaterThan(40)
  const found = files.flatMap((file) =>
    readFileSync(source + file, 'utf8')
      .split('\n')
      .filter((line) => [distance, size, radius].some((literal) => literal.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})

test('every token a style sheet names is there', () => {
  const known = new Set(
    [...Object.keys(tokensOf(defaultColors, false)), 'font'].map((token) => `--k-${token}`),
  )
  const missing = globSync('**/*.{css,tsx}', { cwd: source }).flatMap((file) =>
    [...readFileSync(source + file, 'utf8').matchAll(/var\((--k-[\w-]+)/gu)]
      .map(([, name = '']) => name)
      .filter((name) => !known.has(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(missing).toEqual([])
})
