import { watermarkColor } from '../../kit/theme/tokens.ts'
import { usePerson } from '../person.tsx'

const escapeXml = (text: string) =>
  text.replaceAll(/[<>&"']/g, (char) => `&#${char.charCodeAt(0)};`).replaceAll(/\p{Cc}/gu, ' ')

/** Who looks, and at what, faintly over a terminal, so that a photograph of the screen tells where it came from. */
export function Watermark({ asset }: { asset: string }) {
  const { settings, profile } = usePerson()
  if (!settings.SECURITY_WATERMARK_ENABLED) return null
  const texts = [`${profile.name}(${profile.username})`, asset].map(
    (line, index) => `<text x="20" y="${80 + index * 20}">${escapeXml(line.slice(0, 60))}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="340" height="190"><g fill="${watermarkColor}" fill-opacity="0.16" font-family="sans-serif" font-size="14" transform="rotate(-18 170 95)">${texts.join('')}</g></svg>`
  const image = `url("data:image/svg+xml,${encodeURIComponent(svg)}")`
  return <div className="watermark" aria-hidden="true" style={{ backgroundImage: image }} />
}
