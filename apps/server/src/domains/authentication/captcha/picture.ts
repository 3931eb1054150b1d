/** The picture of a captcha: digits drawn as crooked lines, as a PNG in shades of grey, so that it holds no text or outline to read off. */
import { randomInt } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** Twice as fine as it is shown. */
const width = 360
const height = 76

type Point = readonly [x: number, y: number]
/** Each digit as one stroke in a box of 1 by 1. */
const strokes: Readonly<Record<string, readonly Point[]>> = {
  1: [
    [0.25, 0.25],
    [0.55, 0],
    [0.55, 1],
  ],
  2: [
    [0.08, 0.25],
    [0.3, 0],
    [0.7, 0],
    [0.92, 0.25],
    [0.85, 0.45],
    [0.08, 1],
    [0.95, 1],
  ],
  3: [
    [0.1, 0.12],
    [0.4, 0],
    [0.8, 0.08],
    [0.85, 0.3],
    [0.42, 0.48],
    [0.88, 0.66],
    [0.8, 0.92],
    [0.4, 1],
    [0.05, 0.86],
  ],
  4: [
    [0.72, 1],
    [0.72, 0],
    [0.05, 0.68],
    [0.98, 0.68],
  ],
  5: [
    [0.88, 0],
    [0.18, 0],
    [0.14, 0.45],
    [0.6, 0.4],
    [0.9, 0.66],
    [0.75, 0.95],
    [0.35, 1],
    [0.05, 0.86],
  ],
  6: [
    [0.8, 0.03],
    [0.4, 0.18],
    [0.1, 0.6],
    [0.22, 0.94],
    [0.6, 1],
    [0.9, 0.8],
    [0.76, 0.5],
    [0.42, 0.46],
    [0.12, 0.68],
  ],
}

const between = (least: number, most: number) => least + (randomInt(1001) / 1000) * (most - least)

/** @param digits of 1 to 6 */
export function drawDigits(digits: string): Buffer {
  const paper = Buffer.alloc(width * height, 255)
  const cell = width / (digits.length + 0.6)
  for (const [index, digit] of digits.split('').entries()) {
    const size = between(0.52, 0.68) * height
    const turn = between(-0.35, 0.35)
    const [left, top] = [(index + 0.8) * cell + between(-8, 8), height / 2 + between(-6, 6)]
    const thickness = between(2.2, 3.4)
    const placed = (strokes[digit] ?? []).map(([x, y]): Point => {
      const [dx, dy] = [(x - 0.5) * size * 0.7 + between(-2, 2), (y - 0.5) * size + between(-2, 2)]
      return [
        left + dx * Math.cos(turn) - dy * Math.sin(turn),
        top + dx * Math.sin(turn) + dy * Math.cos(turn),
      ]
    })
    for (const [at, end] of placed.slice(1).entries()) line(paper, placed[at] ?? end, end, thickness)
  }
  for (let count = 0; count < 4; count += 1) scratch(paper)
  for (let count = 0; count < 200; count += 1) paper[randomInt(paper.length)] = 60
  return png(paper)
}

/** From edge to edge, in short pieces that go up and down. */
function scratch(paper: Buffer): void {
  let from: Point = [0, between(0, height)]
  while (from[0] < width) {
    const to: Point = [from[0] + 30, Math.min(height, Math.max(0, from[1] + between(-12, 12)))]
    line(paper, from, to, 0.8)
    from = to
  }
}

function line(paper: Buffer, [x1, y1]: Point, [x2, y2]: Point, thickness: number): void {
  const edge = thickness + 1
  const [dx, dy] = [x2 - x1, y2 - y1]
  const squared = dx * dx + dy * dy || 1
  const bottom = Math.min(height - 1, Math.ceil(Math.max(y1, y2) + edge))
  const right = Math.min(width - 1, Math.ceil(Math.max(x1, x2) + edge))
  for (let y = Math.max(0, Math.floor(Math.min(y1, y2) - edge)); y <= bottom; y += 1)
    for (let x = Math.max(0, Math.floor(Math.min(x1, x2) - edge)); x <= right; x += 1) {
      const along = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / squared))
      const distance = Math.sqrt((x - x1 - along * dx) ** 2 + (y - y1 - along * dy) ** 2)
      const ink = Math.min(1, Math.max(0, edge - distance))
      const at = y * width + x
      paper[at] = Math.min(paper[at] ?? 255, Math.round(255 - ink * 200))
    }
}

/** PNG (ISO/IEC 15948): eight bits of grey, no filter. */
function png(paper: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const rows = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) paper.copy(rows, y * (width + 1) + 1, y * width, (y + 1) * width)
  return Buffer.concat([
    Buffer.from('\u0089PNG\r\n\u001A\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}
