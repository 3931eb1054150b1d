/** Zip archives that say of themselves what they like, and the parts of a workbook to put into them. */
import { deflateRawSync } from 'node:zlib'

/** What a part claims that is not so. */
export interface Claim {
  /** Its size unpacked. */
  unpacked?: number
  /** That its sizes follow its data, so that the directory says nothing of them. */
  isSizedLater?: true
}

const name = 'http://schemas.openxmlformats.org'
const relations = (type: string, target: string) =>
  `<Relationships xmlns="${name}/package/2006/relationships"><Relationship Id="r1" ` +
  `Type="${name}/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A workbook with one group, one part of which ends in as many blanks as wished. */
export function paddedWorkbook(blanks: number): Record<string, Buffer> {
  const parts = {
    '[Content_Types].xml':
      `<Types xmlns="${name}/package/2006/content-types">` +
      `<Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/></Types>`,
    '_rels/.rels': relations('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml':
      `<workbook xmlns="${name}/spreadsheetml/2006/main" xmlns:r="${name}/officeDocument/2006/relationships">` +
      '<sheets><sheet name="one" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml':
      `<worksheet xmlns="${name}/spreadsheetml/2006/main"><sheetData>` +
      '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>' +
      '<row r="2"><c r="A2" t="inlineStr"><is><t>ops</t></is></c></row></sheetData></worksheet>',
  }
  return Object.fromEntries(
    Object.entries(parts).map(([path, text], at) => [
      path,
      Buffer.concat([Buffer.from(text), Buffer.alloc(at === 0 ? blanks : 0, ' ')]),
    ]),
  )
}

/** The claim is made of the first part only. */
export function archive(parts: Readonly<Record<string, Buffer>>, claim: Claim = {}): Buffer {
  const heads: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [at, [path, content]] of Object.entries(parts).entries()) {
    const { unpacked = content.length, isSizedLater }: Claim = at === 0 ? claim : {}
    const packed = deflateRawSync(content)
    const title = Buffer.from(path)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    head.writeUInt16LE(20, 4)
    head.writeUInt16LE(isSizedLater ? 8 : 0, 6)
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt32LE(isSizedLater ? 0 : unpacked, 22)
    head.writeUInt16LE(title.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    head.copy(entry, 6, 4, 28)
    if (isSizedLater) entry.writeUInt32LE(0, 20)
    entry.writeUInt32LE(offset, 42)
    heads.push(head, title, packed)
    directory.push(entry, title)
    offset += head.length + title.length + packed.length
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(parts).length, 8)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...heads, entries, end])
}

/** The archive with a ZIP64 record of its directory, before an end that shows an empty one and says its size stands elsewhere. */
export function behindZip64(file: Buffer): Buffer {
  const before = file.subarray(0, -22)
  const end = Buffer.from(file.subarray(-22))
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(end.readUInt16LE(10)), 24)
  record.writeBigUInt64LE(BigInt(end.readUInt16LE(10)), 32)
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40)
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50, 0)
  locator.writeBigUInt64LE(BigInt(before.length), 8)
  locator.writeUInt32LE(1, 16)
  end.writeUInt32LE(0, 8)
  end.writeUInt32LE(0xffffffff, 12)
  return Buffer.concat([before, record, locator, end])
}
