import type { TerminalSize } from '../../ports.ts'
import type { Step } from './messages.ts'
import { ModeScanner } from './modes.ts'

/** Beyond this much output that no emulation has taken, the middle of it is left out … */
const backlogMaxBytes = 192 * 1024
/** … but not its end, and not what stands around a keystroke: the prompt before it, its echo behind it. */
const tailBytes = 48 * 1024
const aroundInputBytes = 512
/** Input that waits for its echo, in pieces and their size. */
const inputsMax = 128
const inputMaxBytes = 1024 * 1024
const batchMaxBytes = 16 * 1024
/** Reading keys off a large screen costs as much as so many bytes of output. */
const stepBytes = 1024

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
  /** Output that was taken since the last input was. */
  #takenSinceInput = 0
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

  add(step: Extract<Step, { kind: 'open' | 'paint' | 'line' | 'told' | 'close' }>): void {
    this.#held.push(step)
  }

  /** Takes away what the emulation is to do next: at most as much as it does in one go. */
  next(): Step[] {
    const steps: Step[] = []
    let room = batchMaxBytes
    while (room > 0) {
      const held = this.#held[0]
      if (!held) break
      if (held.kind !== 'held') {
        this.#held.shift()
        if (held.kind === 'input') this.#forgetInput(held.bytes)
        if (held.kind === 'input' || held.kind === 'open') this.#takenSinceInput = 0
        steps.push(held)
        room -= stepBytes
        continue
      }
      const to = Math.min(held.to, held.from + room)
      steps.push({ kind: 'output', bytes: Uint8Array.from(held.block.subarray(held.from, to)) })
      room -= to - held.from
      this.#outputBytes -= to - held.from
      this.#takenSinceInput += to - held.from
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
    let sinceInput = this.#takenSinceInput
    let modes: ModeScanner | undefined
    const untilInput = this.#untilInput()
    for (const [index, held] of this.#held.entries()) {
      if (held.kind !== 'held') {
        // of several gaps in a row one
        if (held.kind === 'gap') {
          modes ??= new ModeScanner()
          modes.scan(Buffer.from(held.bytes))
        } else kept.push(held)
        if (held.kind === 'input' || held.kind === 'open') sinceInput = 0
        continue
      }
      const length = held.to - held.from
      const echo = beforeTail <= 0 ? length : Math.min(length, Math.max(0, aroundInputBytes - sinceInput))
      const prompt = Math.min(length - echo, Math.max(0, aroundInputBytes - (untilInput[index] ?? 0)))
      sinceInput += length
      beforeTail -= length
      const isWhole = echo + prompt === length
      const keep = (output: Output) => {
        if (modes) kept.push({ kind: 'gap', bytes: modes.sequence() })
        modes = undefined
        kept.push(output)
        keptBytes += output.to - output.from
      }
      if (isWhole) {
        keep(held)
        continue
      }
      if (echo > 0) keep(partOf(held, 0, echo))
      modes ??= new ModeScanner()
      modes.scan(held.block.subarray(held.from + echo, held.to - prompt))
      if (prompt > 0) keep(partOf(held, length - prompt, length))
      giveBack(held.block)
    }
    this.#held = kept
    this.#outputBytes = keptBytes
  }

  /** How much output stands between what is held and the next input. */
  #untilInput(): number[] {
    let bytes = Number.POSITIVE_INFINITY
    return this.#held
      .toReversed()
      .map((held) => {
        if (held.kind === 'input') bytes = 0
        const until = bytes
        if (held.kind === 'held') bytes += held.to - held.from
        return until
      })
      .toReversed()
  }
}

function partOf({ block, from }: Output, begin: number, end: number): Output {
  return {
    kind: 'held',
    block: Buffer.from(block.subarray(from + begin, from + end)),
    from: 0,
    to: end - begin,
  }
}

function giveBack(block: Buffer): void {
  if (block.byteLength === blockBytes && spareBlocks.length < spareBlocksMax) spareBlocks.push(block)
}
