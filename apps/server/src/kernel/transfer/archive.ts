/** Whether a workbook may be unpacked: what its directory says of every part, before any of them is. */

export interface ArchiveBounds {
  parts: number
  /** Of all parts together, unpacked. */
  bytes: number
}

const endSignature = 0x06_05_4b_50
const zip64LocatorSignature = 0x07_06_4b_50
const entrySignature = 0x02_01_4b_50
const endLength = 22
const zip64LocatorLength = 20
const entryLength = 46
const longestComment = 0xff_ff
/** Stand where a number is in a ZIP64 record instead. */
const elsewhere16 = 0xff_ff
const elsewhere = 0xff_ff_ff_ff
const zip64Extra = 1
/** No table is packed as tightly as this; what is, is made to cost much more to read than to send. Small parts may be. */
const tightest = 100
const smallPart = 1 << 20
/** The flag of a part whose sizes may follow its data. */
const sizedLater = 8

/**
 * The library holds each part to the size its directory gives, so a directory that lies helps nobody, provided that it is the one
 * the library reads and that it gives a size. ZIP64, made for 4 GiB and more, would name another directory or other sizes.
 * @returns what is wrong with it
 */
export function checkArchive(file: Uint8Array, bounds: ArchiveBounds): 'broken' | 'too large' | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const end = endOf(view)
  if (end === undefined || isZip64(view, end)) return 'broken'
  const parts = view.getUint16(end + 10, true)
  if (parts > bounds.parts) return 'too large'
  let at = view.getUint32(end + 16, true)
  let bytes = 0
  for (let part = 0; part < parts; part += 1) {
    if (at + entryLength > end || view.getUint32(at, true) !== entrySignature) return 'broken'
    const packed = view.getUint32(at + 20, true)
    const unpacked = view.getUint32(at + 24, true)
    const extra = at + entryLength + view.getUint16(at + 28, true)
    const comment = extra + view.getUint16(at + 30, true)
    if (comment > end) return 'broken'
    if ([packed, unpacked, view.getUint32(at + 42, true)].includes(elsewhere)) return 'broken'
    if (hasZip64Extra(view, extra, comment)) return 'broken'
    // A part that says nothing of its size would not be held to any, or to what stands outside the directory.
    if (unpacked === 0 && packed > 2) return 'broken'
    if (packed === 0 && view.getUint16(at + 8, true) & sizedLater) return 'broken'
    // What is stored as it is takes its packed size, whatever it says of the other.
    bytes += Math.max(packed, unpacked)
    if (bytes > bounds.bytes || (unpacked > smallPart && unpacked > tightest * packed)) return 'too large'
    at = comment + view.getUint16(at + 32, true)
  }
  return undefined
}

/** Where the last end stands, as the library finds it; its comment has to reach the end of the file, so that readers agree on it. */
function endOf(view: DataView): number | undefined {
  const last = view.byteLength - endLength
  for (let at = last; at >= Math.max(0, last - longestComment); at -= 1)
    if (view.getUint32(at, true) === endSignature)
      return at + view.getUint16(at + 20, true) === last ? at : undefined
  return undefined
}

const isZip64 = (view: DataView, end: number): boolean =>
  view.getUint16(end + 10, true) === elsewhere16 ||
  view.getUint32(end + 12, true) === elsewhere ||
  view.getUint32(end + 16, true) === elsewhere ||
  (end >= zip64LocatorLength && view.getUint32(end - zip64LocatorLength, true) === zip64LocatorSignature)

function hasZip64Extra(view: DataView, from: number, to: number): boolean {
  for (let at = from; at + 4 <= to; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === zip64Extra) return true
  return false
}
