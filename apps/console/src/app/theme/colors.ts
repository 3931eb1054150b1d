import { isRecord } from '../../kit/api/errors.ts'

const storageKey = 'themeColors'

/** The colours a platform may set, by the names its settings use, and what they are when it sets none. */
export const defaultColors = {
  '--color-primary': '#12806a',
  '--color-success': '#2f8f46',
  '--color-info': '#1c76b0',
  '--color-warning': '#c77a12',
  '--color-danger': '#cf3f4f',
  '--banner-bg': '#0f6453',
  '--menu-bg': '#ffffff',
  '--submenu-bg': '#ffffff',
  '--menu-text': '#525a66',
  '--menu-text-active': '#12806a',
} as const

export type ThemeColor = keyof typeof defaultColors
export type ThemeColors = Record<ThemeColor, string>

const hexColor = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The colours of a settings value: unknown names and what is no hex colour are left out. */
export function readColors(value: unknown): ThemeColors {
  const given = isRecord(value) ? value : {}
  const known = Object.entries(given).filter(
    ([name, color]) => name in defaultColors && typeof color === 'string' && hexColor.test(color),
  )
  return { ...defaultColors, ...Object.fromEntries(known) }
}

function channels(color: string): [number, number, number] {
  const digits = color.slice(1)
  const full = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
  const value = Number.parseInt(full, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** A colour mixed with white (or black), the share of it between 0 and 1. */
export function mix(color: string, share: number, into: 'white' | 'black' = 'white'): string {
  const target = into === 'white' ? 255 : 0
  const mixed = channels(color).map((channel) => Math.floor(channel + (target - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
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

/** Puts the colours, and those computed from them, on the root element. */
export function paintColors(): void {
  const style = document.documentElement.style
  for (const [name, color] of Object.entries(colors)) {
    style.setProperty(name, color)
    if (!name.startsWith('--color-')) continue
    style.setProperty(`${name}-light`, mix(color, 0.7))
    style.setProperty(`${name}-dark`, mix(color, 0.2, 'black'))
    style.setProperty(`${name}-hover`, mix(color, hoverTint))
  }
  style.setProperty('--menu-hover', mix(colors['--menu-text-active'], 0.9))
}

/** Takes the platform's colours over and keeps them for the first paint of the next page. */
export function setThemeColors(given: unknown): void {
  const next = readColors(given)
  if (JSON.stringify(next) === JSON.stringify(colors)) return
  colors = next
  localStorage.setItem(storageKey, JSON.stringify(next))
  paintColors()
  for (const listener of listeners) listener()
}
