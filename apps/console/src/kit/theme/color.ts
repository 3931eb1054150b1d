type Channels = [red: number, green: number, blue: number]

/** The share of contrast text needs of what it stands on (WCAG 2.2, 1.4.3). */
export const readableContrast = 4.5

function channels(color: string): Channels {
  const digits = color.slice(1)
  const full = digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits
  const value = Number.parseInt(full, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** A colour mixed with white (or black, or another one), the share of it between 0 and 1. */
export function mix(color: string, share: number, into = 'white'): string {
  const target = into === 'white' ? [255, 255, 255] : into === 'black' ? [0, 0, 0] : channels(into)
  const mixed = channels(color).map((channel, index) =>
    Math.floor(channel + ((target[index] ?? 0) - channel) * share),
  )
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function luminance(color: string): number {
  const [red, green, blue] = channels(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** How far two colours stand apart, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

const step = 0.02

/** The colour, mixed with black or white as little as it takes to stand out against all of these. */
export function readable(color: string, against: readonly string[]): string {
  for (let share = 0; share < 1; share += step) {
    for (const into of ['black', 'white'] as const) {
      const candidate = mix(color, share, into)
      if (against.every((other) => contrast(candidate, other) >= readableContrast)) return candidate
    }
  }
  const [first = color] = against
  const [darkest, lightest] = [mix(color, 1, 'black'), mix(color, 1, 'white')]
  return contrast(darkest, first) > contrast(lightest, first) ? darkest : lightest
}
