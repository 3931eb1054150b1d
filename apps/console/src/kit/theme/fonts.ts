/**
 * The shipped fonts (SIL Open Font License), put on a page only before it shows text, so that no text ever changes its shape
 * under a reader. What does not come in time is left to the next page, and the system's fonts stand in.
 */
import textLatin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import textLatinExtended from '@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2?url'
import { textFontName } from './tokens.ts'

const fetchedKey = 'textFont'
const patienceMs = 200
/** A page that is never idle gets to it all the same. */
const patienceAtMostMs = 3000

/** The characters of a package's latin-ext files. */
export const latinExtended =
  'U+0100-02BA, U+02BD-02C5, U+02C7-02CC, U+02CE-02D7, U+02DD-02FF, U+1D00-1DBF, U+1E00-1E9F, U+1EF2-1EFF, U+2020, U+20A0-20AB, U+20AD-20C0, U+2113, U+2C60-2C7F, U+A720-A7FF'

/** Adds fonts to the page if they are all there within the time; what was asked for stays in the browser's cache. */
export async function addFonts(faces: readonly FontFace[], withinMs: number): Promise<boolean> {
  const loaded = Promise.all(faces.map((face) => face.load())).then(
    () => true,
    // Without the file there is still text.
    () => false,
  )
  const late = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), withinMs)
  })
  const isInTime = await Promise.race([loaded, late])
  if (isInTime) for (const face of faces) document.fonts.add(face)
  return isInTime
}

/** Before the first text of a page: the text font, where an earlier page of this browser has fetched it. */
export async function startTextFont(): Promise<void> {
  if (localStorage.getItem(fetchedKey) !== textLatin) return
  const weights = { weight: '100 900' }
  const face = new FontFace(textFontName, `url(${textLatin})`, weights)
  if (!(await addFonts([face], patienceMs))) return
  document.fonts.add(
    new FontFace(textFontName, `url(${textLatinExtended})`, {
      ...weights,
      display: 'optional',
      unicodeRange: latinExtended,
    }),
  )
}

/** Fetches the text font for the pages after this one, when this one has nothing else to do. */
export function fetchTextFont(): void {
  if (localStorage.getItem(fetchedKey) === textLatin) return
  const keep = async () => {
    const answer = await fetch(textLatin, { priority: 'low' })
    await answer.arrayBuffer()
    if (answer.ok) localStorage.setItem(fetchedKey, textLatin)
  }
  // Offline or refused: the next page tries again.
  requestIdleCallback(() => void keep().catch(() => undefined), { timeout: patienceAtMostMs })
}
