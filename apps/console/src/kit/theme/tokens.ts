/**
 * The design of console and terminal, all of it: colours for light and dark, type, spacing, radii, shadows. The style sheets read
 * the tokens as custom properties (`--k-text`, paint.ts), the widgets as antd's theme (app/theme/widgets.ts). The platform may set
 * colours of its own in its settings; those that carry text are darkened or lightened until it can be read (WCAG 2.2, 1.4.3).
 */
import { mix, readable } from './color.ts'

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

const light = {
  page: '#f3f5f6',
  surface: '#ffffff',
  elevated: '#ffffff',
  fill: '#f6f8f9',
  'fill-strong': '#e9edef',
  border: '#ccd3d8',
  'control-border': '#868f98',
  line: '#e2e6ea',
  text: '#24292f',
  'text-secondary': '#59636e',
  'text-tertiary': '#626c77',
  shadow: '0 8px 28px rgb(20 24 29 / 18%)',
  'shadow-edge': '0 0 8px rgb(0 0 0 / 10%)',
  mask: 'rgb(10 14 18 / 45%)',
}

type Palette = typeof light

const dark: Palette = {
  page: '#0e1112',
  surface: '#171b1d',
  elevated: '#1e2426',
  fill: '#1c2123',
  'fill-strong': '#2a3134',
  border: '#3a4246',
  'control-border': '#6b767c',
  line: '#2a3033',
  text: '#dde3e6',
  'text-secondary': '#a6b0b6',
  'text-tertiary': '#99a3a9',
  shadow: '0 8px 28px rgb(0 0 0 / 55%)',
  'shadow-edge': '0 0 0 1px #2a3033',
  mask: 'rgb(0 0 0 / 60%)',
}

const shape = {
  'radius-small': '3px',
  radius: '4px',
  'radius-large': '8px',
  'radius-pill': '20px',
  'size-caret': '9px',
  'size-tiny': '11px',
  'size-small': '12px',
  size: '13px',
  'size-large': '14px',
  'size-title': '16px',
  'size-heading': '20px',
  'size-icon': '36px',
  'size-display': '64px',
  'line-height': '1.5',
  'space-half': '2px',
  'space-1': '4px',
  'space-1-half': '6px',
  'space-2': '8px',
  'space-2-half': '10px',
  'space-3': '12px',
  'space-3-half': '14px',
  'space-4': '16px',
  'space-5': '20px',
  'space-6': '24px',
}

const chinese = "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC'"
const japanese = "'Hiragino Sans', 'Yu Gothic UI', 'Noto Sans CJK JP'"

export const textFontName = 'Inter'
export const monoFontName = 'JetBrains Mono'

/** Latin from the shipped font, Chinese and Japanese from the system, in the language's own forms. */
export function fontFamily(language: string): string {
  const eastAsian = language.startsWith('ja') ? `${japanese}, ${chinese}` : `${chinese}, ${japanese}`
  return `'${textFontName}', 'Helvetica Neue', Arial, ${eastAsian}, sans-serif`
}

export const monoFontFamily = `'${monoFontName}', ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', 'Noto Sans Mono CJK SC', 'Noto Sans Mono CJK JP', monospace`

/** Faint enough to read through, over dark and light terminals. */
export const watermarkColor = '#808890'

/** Of QR codes in either mode: apps read dark on light only. */
export const qrColors = { color: '#000000', bgColor: '#ffffff' }

/** What a state may look like: of rows, sessions, messages. */
export const tones = ['success', 'warning', 'error', 'info', 'running', 'neutral'] as const
export type Tone = (typeof tones)[number]

const softGround = (color: string, palette: Palette, isDark: boolean) =>
  mix(palette.surface, isDark ? 0.2 : 0.1, color)

/** Text in the tone's colour and the soft ground a tag has under it; the text can be read on every ground there is. */
function toneColors(color: string, palette: Palette, selected: string, isDark: boolean) {
  const soft = softGround(color, palette, isDark)
  const grounds = [
    soft,
    selected,
    palette.page,
    palette.surface,
    palette.elevated,
    palette.fill,
    palette['fill-strong'],
  ]
  return { text: readable(color, grounds), soft }
}

export type Tokens = ReturnType<typeof tokensOf>

/** The tokens for the platform's colours in one of the two modes. */
export function tokensOf(platform: ThemeColors, isDark: boolean) {
  const palette = isDark ? dark : light
  const selected = softGround(platform['--color-primary'], palette, isDark)
  const tone = (color: string) => toneColors(color, palette, selected, isDark)
  const primary = tone(platform['--color-primary'])
  const success = tone(platform['--color-success'])
  const warning = tone(platform['--color-warning'])
  const error = tone(platform['--color-danger'])
  const info = tone(platform['--color-info'])
  const neutral = { text: palette['text-secondary'], soft: palette['fill-strong'] }
  const white = '#ffffff'
  const filled = (color: string) => readable(color, [white])
  const primaryFill = filled(platform['--color-primary'])
  const menuGround = isDark ? palette.surface : platform['--menu-bg']
  const menuHover = isDark ? palette['fill-strong'] : mix(platform['--menu-text-active'], 0.9)
  return {
    ...palette,
    ...shape,
    link: primary.text,
    primary: primaryFill,
    'primary-strong': mix(primaryFill, 0.2, 'black'),
    'primary-soft': primary.soft,
    'on-primary': white,
    danger: filled(platform['--color-danger']),
    success: success.text,
    'success-soft': success.soft,
    warning: warning.text,
    'warning-soft': warning.soft,
    error: error.text,
    'error-soft': error.soft,
    info: info.text,
    'info-soft': info.soft,
    running: primary.text,
    'running-soft': primary.soft,
    neutral: neutral.text,
    'neutral-soft': neutral.soft,
    banner: filled(isDark ? mix(platform['--banner-bg'], 0.55, '#0c0f10') : platform['--banner-bg']),
    'on-banner': white,
    'menu-ground': menuGround,
    'menu-hover': menuHover,
    'menu-text': readable(isDark ? palette['text-secondary'] : platform['--menu-text'], [menuGround]),
    'menu-active': readable(platform['--menu-text-active'], [menuHover]),
    mono: monoFontFamily,
  }
}
