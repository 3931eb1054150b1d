import { isDark, subscribeToMode } from './mode.ts'
import { platformProperties, subscribeToColors, themeColors } from './platform-colors.ts'
import { fontFamily, tokensOf } from './tokens.ts'

/** Puts mode and tokens on the document, where the style sheets find them as `--k-…`. */
function paint(): void {
  const dark = isDark()
  const mode = dark ? 'dark' : 'light'
  const { dataset, style } = document.documentElement
  dataset['theme'] = mode
  style.colorScheme = mode
  for (const [name, value] of Object.entries(platformProperties(themeColors()))) {
    style.setProperty(name, value)
  }
  for (const [name, value] of Object.entries(tokensOf(themeColors(), dark))) {
    style.setProperty(`--k-${name}`, value)
  }
}

/** Dresses the page and keeps it in step with the person's choice of mode and the platform's colours. */
export function startTheme(): void {
  paint()
  subscribeToMode(paint)
  subscribeToColors(paint)
}

/** The text font of the page's language, once that is known. */
export function paintFont(language: string): void {
  document.documentElement.style.setProperty('--k-font', fontFamily(language))
}
