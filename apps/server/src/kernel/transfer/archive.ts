/** Whether a workbook may be unpacked: what its directory says of every part, before any of them is. */

export interface ArchiveBounds {
  parts: number
  /** Of all parts together, unpacked. */
  bytes: number
}

const endSignature = 0x06_05_4b_50
const entrySignature = 0x02_01_4b_50
const endLength = 22
const entryLength = 46
const longestComment = 0xff_ff
/** Stands where a number is too large for its place: of 4 GiB and more, or of a form made for such. */
const elsewhere = 0xff_ff_ff_ff

/**
 * The unpacked parts are held to the sizes of the directory when they are read, so a directory that lies helps nobody.
 * @returns what is wrong with it
 */
export function checkArchive(file: Uint8Array, bounds: ArchiveBounds): 'broken' | 'too large' | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const end = endOf(view)
  if (end === undefined) return 'broken'
  const parts = view.getUint16(end + 10, true)
  if (parts > bounds.parts) return 'too large'
  let at = view.getUint32(end + 16, true)
  let bytes = 0
  for (let part = 0; part < parts; part += 1) {
    if (at + entryLength > view.byteLength || view.getUint32(at, true) !== entrySignature) return 'broken'
    const packed = view.getUint32(at + 20, true)
    const unpacked = view.getUint32(at + 24, true)
    // A part that says nothing of its size would not be held to any.
    if (unpacked === 0 && packed > 2) return 'broken'
    bytes += unpacked
    if (packed === elsewhere || bytes > bounds.bytes) return 'too large'
    at +=
      entryLength +
      view.getUint16(at + 28, true) +
      view.getUint16(at + 30, true) +
      view.getUint16(at + 32, true)
  }
  return undefined
}

function endOf(view: DataView): number | undefined {
  const last = view.byteLength - endLength
  for (let at = last; at >= Math.max(0, last - longestComment); at -= 1)
    if (view.getUint32(at, true) === endSignature) return at
  return undefined
}
