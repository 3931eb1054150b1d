import type { SftpAnswer } from './answers.ts'
import type { Access, Lane } from './lane.ts'

/** A request, and the lanes it has to be first in. */
export class Turn {
  readonly #lanes: [Lane, Access][]
  readonly #run: () => Promise<SftpAnswer>

  constructor(lanes: [Lane, Access][], run: () => Promise<SftpAnswer>) {
    this.#lanes = lanes
    this.#run = run
  }

  /** Queues in all lanes at once, so that two that need the same lanes never wait for each other. */
  take(start: (leave: () => void) => void): void {
    let missing = this.#lanes.length
    const leave = () => {
      for (const [lane] of this.#lanes) lane.leave()
    }
    const enter = () => {
      if (--missing === 0) start(leave)
    }
    if (missing === 0) start(leave)
    for (const [lane, access] of this.#lanes) lane.enter(access, enter)
  }

  /** Also where the application throws at once, this rejects. */
  async run(): Promise<SftpAnswer> {
    return await this.#run()
  }
}
