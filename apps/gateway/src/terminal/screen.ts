import { createRequire } from 'node:module'
import type * as Serialize from '@xterm/addon-serialize'
import type * as Unicode11 from '@xterm/addon-unicode11'
import type * as Headless from '@xterm/headless'
import type { TerminalSize } from '../session/ports.ts'
import { ModeScanner } from './modes.ts'

// these are CommonJS whose exports Node cannot name
const require = createRequire(import.meta.url)
const { Terminal }: typeof Headless = require('@xterm/headless')
const { SerializeAddon }: typeof Serialize = require('@xterm/addon-serialize')
const { Unicode11Addon }: typeof Unicode11 = require('@xterm/addon-unicode11')

export type Emulator = InstanceType<typeof Terminal>

const scrollbackLines = 200
const sliceBytes = 16 * 1024
/** Beyond this much unparsed output the middle of it is left out … */
const backlogMaxBytes = 192 * 1024
/** … but not its end, and not what follows a keystroke (its echo). */
const tailBytes = 48 * 1024
const afterOpBytes = 4 * 1024
/** While output comes faster than it is parsed, parsing rests so long after each slice and leaves the processor to the stream. */
const restMs = 50
/** Output is over when none came for so long. */
const quietMs = 100

/** `gap`: output was left out here. */
type Item = { bytes: Buffer } | { op: () => void } | { gap: true }

/**
 * What a person sees, kept by a real terminal emulation. Feeding never waits and costs a bounded amount of time and memory: of a flood
 * only the end is parsed, and modes switched in between are kept.
 */
export class Screen {
  readonly emulator: Emulator
  /** Called, in order, where output was left out. */
  onGap: (() => void) | undefined
  readonly #serialize = new SerializeAddon()
  #queue: Item[] = []
  #backlogBytes = 0
  #isParsing = false
  #isFlooded = false
  #fedMs = 0
  #isDisposed = false
  #settled: (() => void)[] = []

  constructor(size: TerminalSize) {
    this.emulator = new Terminal({
      cols: size.cols,
      rows: size.rows,
      scrollback: scrollbackLines,
      allowProposedApi: true,
      logLevel: 'off',
    })
    this.emulator.loadAddon(this.#serialize)
    this.emulator.loadAddon(new Unicode11Addon())
    this.emulator.unicode.activeVersion = '11'
  }

  /** The bytes are kept until they are parsed; do not change them. */
  feed(bytes: Buffer): void {
    this.#queue.push({ bytes })
    this.#backlogBytes += bytes.byteLength
    this.#fedMs = performance.now()
    if (this.#backlogBytes > backlogMaxBytes) this.#thin()
    this.#parse()
  }

  /** Runs `op` when everything fed before has been parsed or left out. */
  afterwards(op: () => void): void {
    this.#queue.push({ op })
    this.#parse()
  }

  resize(size: TerminalSize): void {
    this.afterwards(() => this.emulator.resize(Math.max(2, size.cols), size.rows))
  }

  /** All that was fed is on the screen. */
  get isInSync(): boolean {
    return this.#queue.length === 0 && !this.#isParsing
  }

  settled(): Promise<void> {
    if (this.isInSync || this.#isDisposed) return Promise.resolve()
    return new Promise((resolve) => this.#settled.push(resolve))
  }

  /** Bytes that paint the screen, modes included, on an empty terminal of this size. */
  paint(scrollback = 0): { cols: number; rows: number; bytes: Buffer } {
    const { cols, rows } = this.emulator
    return { cols, rows, bytes: Buffer.from(this.#serialize.serialize({ scrollback })) }
  }

  /** What scrolled out of view is part of it. */
  paintAll(): { cols: number; rows: number; bytes: Buffer } {
    return this.paint(scrollbackLines)
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    this.#queue = []
    this.#release()
    this.emulator.dispose()
  }

  #parse(): void {
    if (this.#isParsing || this.#isDisposed) return
    for (;;) {
      const item = this.#queue[0]
      if (!item) {
        this.#isFlooded = false
        this.#release()
        return
      }
      if ('bytes' in item) break
      this.#queue.shift()
      if ('op' in item) item.op()
      else this.onGap?.()
    }
    this.#isParsing = true
    this.emulator.write(this.#nextSlice(), () => {
      if (this.#isFlooded && performance.now() - this.#fedMs < quietMs)
        setTimeout(() => this.#parsed(), restMs)
      else this.#parsed()
    })
  }

  #parsed(): void {
    this.#isParsing = false
    this.#parse()
  }

  #nextSlice(): Buffer {
    const parts: Buffer[] = []
    let length = 0
    for (;;) {
      const item = this.#queue[0]
      if (!item || !('bytes' in item) || length >= sliceBytes) break
      const room = sliceBytes - length
      if (item.bytes.byteLength <= room) this.#queue.shift()
      const part = item.bytes.subarray(0, room)
      item.bytes = item.bytes.subarray(part.byteLength)
      length += part.byteLength
      parts.push(part)
    }
    this.#backlogBytes -= length
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
  }

  #release(): void {
    for (const resolve of this.#settled.splice(0)) resolve()
  }

  /** Leaves out the middle of the backlog. */
  #thin(): void {
    this.#isFlooded = true
    const kept: Item[] = []
    let keptBytes = 0
    let beforeTail = this.#backlogBytes - tailBytes
    let sinceOp = afterOpBytes
    let modes: ModeScanner | undefined
    const keep = (bytes: Buffer) => {
      if (bytes.byteLength === 0) return
      if (modes) {
        const switched = modes.sequence()
        modes = undefined
        kept.push({ gap: true }, { bytes: switched })
        keptBytes += switched.byteLength
      }
      kept.push({ bytes })
      keptBytes += bytes.byteLength
    }
    for (const item of this.#queue) {
      if ('op' in item) {
        kept.push(item)
        sinceOp = 0
        continue
      }
      if ('gap' in item) {
        if (!modes) kept.push(item)
        continue
      }
      const { bytes } = item
      const echo = Math.min(bytes.byteLength, Math.max(0, afterOpBytes - sinceOp))
      const dropEnd = Math.max(echo, Math.min(bytes.byteLength, beforeTail))
      keep(bytes.subarray(0, echo))
      if (dropEnd > echo) {
        modes ??= new ModeScanner()
        modes.scan(bytes.subarray(echo, dropEnd))
      }
      keep(bytes.subarray(dropEnd))
      sinceOp += bytes.byteLength
      beforeTail -= bytes.byteLength
    }
    this.#queue = kept
    this.#backlogBytes = keptBytes
  }
}
