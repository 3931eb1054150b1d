/** Plays a recording into a screen: a clock that follows real time times the speed, and seeking by screen snapshots. */
import {
  decodeMark,
  decodeSize,
  type Frame,
  frameType,
  type RecordingIndex,
} from '@sallyport/contract/recording'
import type { RecordingSource } from './recording-source.ts'

/** Where the recording is shown; a terminal, or a list of what was shown in tests. */
export interface Screen {
  reset: () => void
  resize: (size: { cols: number; rows: number }) => void
  /** `taken` is called when the output is on the screen. */
  write: (bytes: Uint8Array, taken: () => void) => void
}

export interface PlayerState {
  positionMs: number
  durationMs: number
  isPlaying: boolean
  speed: number
  skipsIdle: boolean
  /** Reading or painting takes a moment: the clock waits. */
  isWaiting: boolean
  error: unknown
  /** How the recording says the session ended, once that place is reached. */
  mark: 'detached' | 'attached' | undefined
}

export const speeds = [0.5, 1, 2, 4, 8] as const

/** With pauses skipped, nothing happening lasts this long at most. */
const longestPauseMs = 1000
/** Output given to the screen that it has not taken yet. */
const unwrittenMaxBytes = 512 * 1024
/** A page in the background gets no clock; what it missed is not caught up. */
const longestTickMs = 250

export class Player {
  private readonly source: RecordingSource
  private readonly screen: Screen
  private readonly listeners = new Set<() => void>()
  private state: PlayerState
  private place = 0
  private frames: Frame[] | undefined
  private frameAt = 0
  /** A newer seek makes older work stop where it is. */
  private run = 0
  private isAdvancing = false
  private unwritten = 0
  private resume: (() => void) | undefined
  private clock: number | undefined
  private lastTick = 0

  constructor(source: RecordingSource, screen: Screen) {
    this.source = source
    this.screen = screen
    this.state = {
      positionMs: 0,
      durationMs: source.index.duration_ms,
      isPlaying: false,
      speed: 1,
      skipsIdle: true,
      isWaiting: false,
      error: undefined,
      mark: undefined,
    }
  }

  getState = () => this.state

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => {
      this.listeners.delete(listener)
    }
  }

  /** A longer index of the same recording, while the session still runs. */
  extend(index: RecordingIndex) {
    this.source.index = index
    this.change({ durationMs: index.duration_ms })
  }

  play() {
    if (this.state.isPlaying) return
    if (this.isAtEnd) void this.seek(0)
    this.change({ isPlaying: true, error: undefined })
    this.lastTick = performance.now()
    this.clock = requestAnimationFrame(this.tick)
  }

  pause() {
    if (this.clock !== undefined) cancelAnimationFrame(this.clock)
    this.clock = undefined
    this.change({ isPlaying: false })
  }

  setSpeed(speed: number) {
    this.change({ speed })
  }

  setSkipsIdle(skipsIdle: boolean) {
    this.change({ skipsIdle })
  }

  /** Shows the screen as it was at a time, and goes on from there. Only what is needed for that is read. */
  async seek(timeMs: number) {
    const target = Math.min(Math.max(0, timeMs), this.state.durationMs)
    const start = this.source.placeBefore(target)
    const isAhead = target >= this.state.positionMs && this.frames !== undefined && start.place <= this.place
    this.run += 1
    if (!isAhead) {
      this.place = start.place
      this.frames = undefined
      this.frameAt = 0
      this.screen.reset()
      this.screen.resize(this.source.index)
    }
    this.change({ positionMs: target, error: undefined, mark: undefined })
    await this.advance(target, !isAhead && start.hasSnapshot)
  }

  dispose() {
    this.run += 1
    if (this.clock !== undefined) cancelAnimationFrame(this.clock)
    this.listeners.clear()
  }

  private get isAtEnd() {
    return this.state.positionMs >= this.state.durationMs
  }

  private tick = (now: number) => {
    const passed = Math.min(longestTickMs, now - this.lastTick)
    this.lastTick = now
    this.clock = requestAnimationFrame(this.tick)
    // While reading or painting the clock stands still.
    if (this.isAdvancing) return
    const next = this.frames?.[this.frameAt]
    let target = this.state.positionMs + passed * this.state.speed
    if (this.state.skipsIdle && next && next.timeMs - target > longestPauseMs)
      target = next.timeMs - longestPauseMs
    target = Math.min(target, this.state.durationMs)
    this.change({ positionMs: target })
    void this.advance(target, false)
    if (this.isAtEnd) this.pause()
  }

  /** Shows everything up to a time. */
  private async advance(timeMs: number, useSnapshot: boolean) {
    const run = this.run
    this.isAdvancing = true
    const slow = setTimeout(() => run === this.run && this.change({ isWaiting: true }), 150)
    try {
      let wantsSnapshot = useSnapshot
      while (run === this.run) {
        if (!this.frames) {
          if (this.place >= this.source.chunkCount) break
          const chunk = this.source.index.chunks[this.place]
          if (chunk && chunk.start_ms > timeMs + 2 * longestPauseMs && !this.state.skipsIdle) break
          const frames = await this.source.frames(this.place)
          if (run !== this.run) return
          this.frames = frames
          this.frameAt = 0
          this.source.prefetch(this.place + 1)
        }
        const frame = this.frames[this.frameAt]
        if (!frame) {
          this.place += 1
          this.frames = undefined
          continue
        }
        if (frame.timeMs > timeMs) break
        this.frameAt += 1
        this.show(frame, wantsSnapshot)
        if (frame.type === frameType.snapshot) wantsSnapshot = false
        if (this.unwritten > unwrittenMaxBytes) await new Promise<void>((resolve) => (this.resume = resolve))
      }
    } catch (error) {
      if (run === this.run) {
        this.pause()
        this.change({ error })
      }
    } finally {
      clearTimeout(slow)
      if (run === this.run) {
        this.isAdvancing = false
        if (this.state.isWaiting) this.change({ isWaiting: false })
      }
    }
  }

  private show(frame: Frame, wantsSnapshot: boolean) {
    switch (frame.type) {
      case frameType.output:
      case frameType.errorOutput:
        this.write(frame.payload)
        break
      case frameType.resize:
        this.screen.resize(decodeSize(frame.payload))
        break
      case frameType.snapshot:
        // Played through, the screen is already what the snapshot says.
        if (!wantsSnapshot) break
        this.screen.reset()
        this.screen.resize(decodeSize(frame.payload))
        this.write(frame.payload.subarray(4))
        break
      case frameType.mark: {
        const mark = decodeMark(frame.payload)
        if (mark?.kind === 'detached' || mark?.kind === 'attached') this.change({ mark: mark.kind })
        break
      }
      default: // input is told by its echo
    }
  }

  private write(bytes: Uint8Array) {
    this.unwritten += bytes.byteLength
    this.screen.write(bytes, () => {
      this.unwritten -= bytes.byteLength
      if (this.unwritten > unwrittenMaxBytes / 2 || !this.resume) return
      const resume = this.resume
      this.resume = undefined
      resume()
    })
  }

  private change(values: Partial<PlayerState>) {
    this.state = { ...this.state, ...values }
    for (const listener of this.listeners) listener()
  }
}
