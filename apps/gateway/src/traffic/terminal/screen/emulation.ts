import { createRequire } from 'node:module'
import type * as Serialize from '@xterm/addon-serialize'
import type * as Unicode11 from '@xterm/addon-unicode11'
import type * as Headless from '@xterm/headless'
import type { TerminalSize } from '../../ports.ts'
import { CountClamp } from './count-clamp.ts'
import type { Painting } from './messages.ts'
import { Workload } from './workload.ts'

// these are CommonJS whose exports Node cannot name
const require = createRequire(import.meta.url)
const { Terminal }: typeof Headless = require('@xterm/headless')
const { SerializeAddon }: typeof Serialize = require('@xterm/addon-serialize')
const { Unicode11Addon }: typeof Unicode11 = require('@xterm/addon-unicode11')

export type Emulator = InstanceType<typeof Terminal>
/** Of a row, followed through scrolling. */
export type Marker = NonNullable<ReturnType<Emulator['registerMarker']>>

const scrollbackLines = 200
const scrollbackCells = 50_000

/** What a person sees, kept by a real terminal emulation. What it is given may come from anybody: see `CountClamp` and `Workload`. */
export class Emulation {
  readonly emulator: Emulator
  /** Called where output was left out. */
  onGap: (() => void) | undefined
  readonly #serialize = new SerializeAddon()
  readonly #clamp = new CountClamp()
  readonly #workload: Workload

  constructor(size: TerminalSize) {
    this.emulator = new Terminal({
      cols: size.cols,
      rows: size.rows,
      scrollback: Math.min(scrollbackLines, Math.floor(scrollbackCells / size.cols)),
      allowProposedApi: true,
      logLevel: 'off',
    })
    this.emulator.loadAddon(this.#serialize)
    this.emulator.loadAddon(new Unicode11Addon())
    this.emulator.unicode.activeVersion = '11'
    this.#workload = new Workload(this.emulator)
  }

  /** Resolves when the bytes are on the screen. Not to be called again before. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#workload.begin()
    await new Promise<void>((resolve) => this.emulator.write(this.#clamp.clamp(bytes), resolve))
    if (this.#workload.isExceeded) this.onGap?.()
  }

  /** Output was left out here; `switches` are the modes it switched. */
  async gap(switches: Uint8Array): Promise<void> {
    this.onGap?.()
    await this.write(switches)
  }

  resize({ cols, rows }: TerminalSize): void {
    this.emulator.resize(cols, rows)
    this.emulator.options.scrollback = Math.min(scrollbackLines, Math.floor(scrollbackCells / cols))
  }

  /** Bytes that paint the screen, modes included, on an empty terminal of this size; with what scrolled out of view where `isWhole`. */
  paint(isWhole: boolean): Painting {
    const { cols, rows } = this.emulator
    const text = this.#serialize.serialize({ scrollback: isWhole ? scrollbackLines : 0 })
    return { cols, rows, bytes: new TextEncoder().encode(text) }
  }

  dispose(): void {
    this.emulator.dispose()
  }
}
