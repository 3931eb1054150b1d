import { expect, test, vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => null })
const { mix } = await import('./color.ts')
const { defaultColors } = await import('./tokens.ts')
const { platformProperties, readColors } = await import('./platform-colors.ts')

test('the platform may set the colours by name; anything that is no colour is left out', () => {
  const colors = readColors({
    '--color-primary': '#123abc',
    '--banner-bg': 'url(https://evil.example)',
    '--font': '#000000',
  })
  expect(colors).toEqual({ ...defaultColors, '--color-primary': '#123abc' })
  expect(readColors('nonsense')).toEqual(defaultColors)
})

test('a colour under the pointer is 35 % lighter', () => {
  const properties = platformProperties({ ...defaultColors, '--color-primary': '#000000' })
  expect(properties['--color-primary-hover']).toBe('#595959')
})

test('a colour is mixed with white, or with another', () => {
  expect(mix('#000', 0.5)).toBe('#7f7f7f')
  expect(mix('#fff', 0.2, 'black')).toBe('#cccccc')
})
