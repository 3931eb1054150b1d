// Order decides: most browsers also name those they want to be taken for.
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:A|iOS)?\//u],
  ['Opera', /\bOPR\//u],
  ['Samsung Internet', /\bSamsungBrowser\//u],
  ['Firefox', /\b(?:Firefox|FxiOS)\//u],
  ['Chrome', /(?:\b|Headless)(?:Chrome|Chromium|CriOS)\//u],
  ['Safari', /\bVersion\/.* Safari\//u],
]
const systems: readonly (readonly [string, RegExp])[] = [
  ['Windows', /\bWindows\b/u],
  ['Android', /\bAndroid\b/u],
  ['iOS', /\b(?:iPhone|iPad)\b/u],
  ['ChromeOS', /\bCrOS\b/u],
  ['macOS', /\bMac OS X\b/u],
  ['Linux', /\bLinux\b/u],
]

const first = (names: typeof browsers, userAgent: string) =>
  names.find(([, form]) => form.test(userAgent))?.[0]

/** The browser and its system by their common names, of a User-Agent header; undefined unless both are known. */
export function browserName(userAgent: string): { browser: string; system: string } | undefined {
  const browser = first(browsers, userAgent)
  const system = first(systems, userAgent)
  return browser !== undefined && system !== undefined ? { browser, system } : undefined
}
