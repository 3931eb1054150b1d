import regular from '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-400-normal.woff2?url'
import bold from '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-700-normal.woff2?url'
import regularExtended from '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-ext-400-normal.woff2?url'
import boldExtended from '@fontsource/jetbrains-mono/files/jetbrains-mono-latin-ext-700-normal.woff2?url'
import { addFonts, latinExtended } from '../theme/fonts.ts'
import { monoFontName } from '../theme/tokens.ts'

const patienceMs = 1000

/** The terminal's font. Ask for it before a terminal opens: that measures its cells once. */
export async function startTerminalFont(): Promise<void> {
  const face = (file: string, weight: string, range?: string) =>
    new FontFace(monoFontName, `url(${file})`, {
      weight,
      ...(range === undefined ? {} : { unicodeRange: range, display: 'optional' }),
    })
  if (!(await addFonts([face(regular, '400'), face(bold, '700')], patienceMs))) return
  document.fonts.add(face(regularExtended, '400', latinExtended))
  document.fonts.add(face(boldExtended, '700', latinExtended))
}
