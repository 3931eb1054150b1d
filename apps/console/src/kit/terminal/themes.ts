import type { ITheme } from '@xterm/xterm'
import { readableContrast } from '../theme/color.ts'

export interface TerminalTheme {
  /** Kept in the browser's storage and shown as it is: names of colour schemes are not translated. */
  name: string
  isLight: boolean
  /**
   * Lifts colours that are too close to the background; 1 leaves the scheme as its author made it. xterm takes inverse
   * text in default colours for invisible and lifts it just so far, so nothing between 1 and readable will do.
   */
  minimumContrastRatio: number
  colors: ITheme
}

const ansiNames = [
  ['black', 'brightBlack'],
  ['red', 'brightRed'],
  ['green', 'brightGreen'],
  ['yellow', 'brightYellow'],
  ['blue', 'brightBlue'],
  ['magenta', 'brightMagenta'],
  ['cyan', 'brightCyan'],
  ['white', 'brightWhite'],
] as const

function theme(
  name: string,
  [background, foreground, cursor, selection]: [string, string, string, string],
  normal: string,
  bright: string,
  options: { isLight?: boolean; minimumContrastRatio?: number } = {},
): TerminalTheme {
  const colors: ITheme = {
    background,
    foreground,
    cursor,
    cursorAccent: background,
    selectionBackground: selection,
  }
  const [normals, brights] = [normal.split(' '), bright.split(' ')]
  for (const [index, [ansi, brightAnsi]] of ansiNames.entries()) {
    colors[ansi] = `#${normals[index]}`
    colors[brightAnsi] = `#${brights[index]}`
  }
  return { name, isLight: false, minimumContrastRatio: 1, colors, ...options }
}

export const defaultThemeName = 'Sallyport Dark'

export const themes: readonly TerminalTheme[] = [
  theme(
    defaultThemeName,
    ['#14181d', '#d5dbe1', '#7fd1b9', '#2f4a5a'],
    '22282f e5686c 7fbf7a dcb35c 6ba4e8 c08bdc 5fbfc4 cdd3d9',
    '6a7683 ff8a8d a3da9c f4d07e 90bfff d9a9f0 86dbdf f4f7fa',
  ),
  theme(
    'Sallyport Light',
    ['#fbfcfd', '#24292f', '#0f7b6c', '#bcdcf5'],
    '24292f c4303a 1f7a33 8a6100 1f62c4 8a3fb0 0f7480 6e7781',
    '57606a a81f2a 116329 6b4b00 0a4aa6 6d2895 085c66 8c959f',
    { isLight: true, minimumContrastRatio: readableContrast },
  ),
  theme(
    'High Contrast',
    ['#000000', '#ffffff', '#ffff00', '#3355cc'],
    '000000 ff5555 55ff55 ffff55 7799ff ff77ff 55ffff ffffff',
    '999999 ff8888 88ff88 ffff99 99bbff ff99ff 99ffff ffffff',
    { minimumContrastRatio: 7 },
  ),
  theme(
    'High Contrast Light',
    ['#ffffff', '#000000', '#0000cc', '#99ccff'],
    '000000 a00000 005a00 5c4300 0000b0 700070 005060 505050',
    '303030 800000 004400 4a3500 000088 580058 004050 404040',
    { isLight: true, minimumContrastRatio: 7 },
  ),
  theme(
    'Solarized Dark',
    ['#002b36', '#93a1a1', '#93a1a1', '#0a4a5a'],
    '073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5',
    '586e75 cb4b16 97ad2a c9a227 4fa3dd 6c71c4 56c2b9 fdf6e3',
  ),
  theme(
    'Solarized Light',
    ['#fdf6e3', '#586e75', '#586e75', '#e2dcc3'],
    '073642 dc322f 718200 9b7500 1f77b6 c22e76 208a82 839496',
    '002b36 cb4b16 586e00 7d5f00 16639a 6c71c4 18706a 657b83',
    { isLight: true },
  ),
  theme(
    'Nord',
    ['#2e3440', '#d8dee9', '#d8dee9', '#4c566a'],
    '3b4252 bf616a a3be8c ebcb8b 81a1c1 b48ead 88c0d0 e5e9f0',
    '66728a d0737c b5d09e f5d99c 94b5d6 c7a1c0 8fbcbb eceff4',
  ),
  theme(
    'Gruvbox',
    ['#282828', '#ebdbb2', '#ebdbb2', '#504945'],
    '3c3836 cc241d 98971a d79921 458588 b16286 689d6a a89984',
    '928374 fb4934 b8bb26 fabd2f 83a598 d3869b 8ec07c ebdbb2',
  ),
  theme(
    'Monokai',
    ['#272822', '#f8f8f2', '#f8f8f0', '#49483e'],
    '3a3b35 f92672 a6e22e e6db74 66d9ef ae81ff a1efe4 f8f8f2',
    '75715e ff6b9d c0f260 fff3a0 8fe7ff c9a8ff bdfbf3 ffffff',
  ),
]

export function findTheme(name: string): TerminalTheme {
  const found = themes.find((theme) => theme.name === name) ?? themes[0]
  if (!found) throw new Error('no terminal themes')
  return found
}
