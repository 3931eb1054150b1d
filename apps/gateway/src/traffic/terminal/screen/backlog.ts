import type { TerminalSize } from '../../ports.ts'
import type { Step } from './messages.ts'
import { ModeScanner } from './modes.ts'

/** Beyond this much output that no emulation has taken, the middle of it is left out … */
const backlogMaxBytes = 192 * 1024
/** … but not its end, and not what follows a keystroke (its echo). */
const tailBytes = 48 * 1024
const afterInputBytes = 1024
/** Input that waits for its echo, in pieces and their size. */
const inputsMax = 128
const inputMaxBytes = 1024 * 1024
const batchMaxBytes = 16 * 1024

/** Output is gathered in blocks that are used again: of a flood each byte is copied once and nothing is left to the collector. */
const blockBytes = 16 * 1024
/** What is no flood needs less. */
const smallBlockBytes = 512
const spareBlocks: Buffer[] = []
const spareBlocksMax = 64

interface Output {
  kind: 'held'
  block: Buffer
  from: number
  to: number
}

/** What has happened to a screen and not been given to its emulation yet, in order and bounded. */
export class Backlog {
  #held: (Step | Output)[] = []
  #outputBytes = 0
  #inputs = 0
  #inputBytes = 0
  /** Output was left out since it was last empty. */
  isFlooded = false
  /** How often output was left out. */
  gaps = 0

  get isEmpty(): boolean {
    return this.#held.length === 0
  }

  /** The bytes are copied. */
  output(bytes: Buffer): void {
    let at = 0
    while (at < bytes.byteLength) {
      const block = this.#room(bytes.byteLength - at)
      const length = Math.min(block.block.byteLength - block.to, bytes.byteLength - at)
      bytes.copy(block.block, block.to, at, at + length)
      block.to += length
      at += length
      this.#outputBytes += length
      if (this.#outputBytes > backlogMaxBytes) this.#thin()
    }
  }

  input(bytes: Buffer): void {
    const isTooMuch = this.#inputs >= inputsMax || this.#inputBytes + bytes.byteLength > inputMaxBytes
    const last = this.#held.at(-1)
    if (isTooMuch) {
      if (last?.kind === 'input') last.bytes = undefined
      else if (this.#inputs === inputsMax) this.#held.push({ kind: 'input', bytes: undefined })
      else return
      this.#inputs++
      return
    }
    this.#inputs++
    this.#inputBytes += bytes.byteLength
    this.#held.push({ kind: 'input', bytes: Uint8Array.from(bytes) })
  }

  /** Only the last size waits. */
  resize(size: TerminalSize): void {
    this.#held = this.#held.filter((step) => step.kind !== 'resize')
    this.#held.push({ kind: 'resize', size })
  }

  add(step: Extract<Step, { kind: 'open' | 'paint' | 'line' | 'close' }>): void {
    this.#held.push(step)
  }

  /** Takes away what the emulation is to do next: at most so many bytes of output as it does in one go. */
  next(): Step[] {
    const steps: Step[] = []
    let room = batchMaxBytes
    while (room > 0) {
      const held = this.#held[0]
      if (!held) break
      if (held.kind !== 'held') {
        this.#held.shift()
        if (held.kind === 'input') this.#forgetInput(held.bytes)
        steps.push(held)
        continue
      }
      const to = Math.min(held.to, held.from + room)
      steps.push({ kind: 'output', bytes: Uint8Array.from(held.block.subarray(held.from, to)) })
      room -= to - held.from
      this.#outputBytes -= to - held.from
      held.from = to
      if (held.from < held.to) break
      this.#held.shift()
      giveBack(held.block)
    }
    if (this.isEmpty) this.isFlooded = false
    return steps
  }

  clear(): void {
    for (const held of this.#held) if (held.kind === 'held') giveBack(held.block)
    this.#held = []
    this.#outputBytes = this.#inputs = this.#inputBytes = 0
    this.isFlooded = false
  }

  #room(wantedBytes: number): Output {
    const last = this.#held.at(-1)
    if (last?.kind === 'held' && last.to < last.block.byteLength) return last
    const block =
      wantedBytes < smallBlockBytes && last?.kind !== 'held'
        ? Buffer.allocUnsafeSlow(smallBlockBytes)
        : (spareBlocks.pop() ?? Buffer.allocUnsafeSlow(blockBytes))
    const fresh: Output = { kind: 'held', block, from: 0, to: 0 }
    this.#held.push(fresh)
    return fresh
  }

  #forgetInput(bytes: Uint8Array | undefined): void {
    this.#inputs--
    this.#inputBytes -= bytes?.byteLength ?? 0
  }

  /** Leaves out the middle. */
  #thin(): void {
    this.isFlooded = true
    this.gaps++
    const kept: (Step | Output)[] = []
    let keptBytes = 0
    let beforeTail = this.#outputBytes - tailBytes
    let sinceInput = afterInputBytes
    let modes: ModeScanner | undefined
    for (const held of this.#held) {
      if (held.kind !== 'held') {
        // only the last of several gaps in a row
        if (held.kind === 'gap' && modes) modes.scan(Buffer.from(held.bytes))
        else kept.push(held)
        if (held.kind === 'input') sinceInput = 0
        continue
      }
      const length = held.to - held.from
      const echo =
        beforeTail <= 0 ? length : Math.min(length, afterInputBytes - Math.min(sinceInput, afterInputBytes))
      sinceInput += length
      beforeTail -= length
      if (echo > 0) {
        if (modes) kept.push({ kind: 'gap', bytes: modes.sequence() })
        modes = undefined
        kept.push(echo === length ? held : beginning(held, echo))
        keptBytes += echo
      }
      if (echo === length) continue
      modes ??= new ModeScanner()
      modes.scan(held.block.subarray(held.from + echo, held.to))
      giveBack(held.block)
    }
    this.#held = kept
    this.#outputBytes = keptBytes
  }
}

function beginning({ block, from }: Output, bytes: number): Output {
  return { kind: 'held', block: Buffer.from(block.subarray(from, from + bytes)), from: 0, to: bytes }
}

function giveBack(block: Buffer): void {
  if (block.byteLength === blockBytes && spareBlocks.length < spareBlocksMax) spareBlocks.push(block)
}
