import { isRecord } from '../api/errors.ts'
import { mix } from './color.ts'
import { defaultColors, type ThemeColors } from './tokens.ts'

const storageKey = 'themeColors'

const hexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The colours of a settings value: unknown names and what is no hex colour are left out. */
export function readColors(value: unknown): ThemeColors {
  const given = isRecord(value) ? value : {}
  const known = Object.entries(given).filter(
    ([name, color]) => name in defaultColors && typeof color === 'string' && hexColor.test(color),
  )
  return { ...defaultColors, ...Object.fromEntries(known) }
}

/** The share of white in a colour under the pointer. */
export const hoverTint = 0.35

function cachedColors(): unknown {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}')
  } catch {
    // Not ours; the settings bring the right ones.
    return {}
  }
}

let colors: ThemeColors = readColors(cachedColors())
const listeners = new Set<() => void>()

export function themeColors(): ThemeColors {
  return colors
}

export function subscribeToColors(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The platform's colours and those computed from them, by the names of their custom properties. */
export function platformProperties(given: ThemeColors): Record<string, string> {
  const computed = Object.entries(given).flatMap(([name, color]) =>
    name.startsWith('--color-')
      ? [
          [`${name}-light`, mix(color, 0.7)],
          [`${name}-dark`, mix(color, 0.2, 'black')],
          [`${name}-hover`, mix(color, hoverTint)],
        ]
      : [],
  )
  return { ...given, ...Object.fromEntries(computed), '--menu-hover': mix(given['--menu-text-active'], 0.9) }
}

/** Takes the platform's colours over and keeps them for the first paint of the next page. */
export function setThemeColors(given: unknown): void {
  const next = readColors(given)
  if (JSON.stringify(next) === JSON.stringify(colors)) return
  colors = next
  localStorage.setItem(storageKey, JSON.stringify(next))
  for (const listener of listeners) listener()
}
