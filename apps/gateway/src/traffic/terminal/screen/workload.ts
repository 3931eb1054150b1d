import type { Emulator } from './emulation.ts'

/** Cells that control sequences in one slice of output may move or clear: some tens of milliseconds. */
const budgetCells = 3_000_000
/** Moving a line costs as much as so many cells, however short it is. */
const lineCells = 200

/**
 * Counts what the costly control sequences in a slice make the emulation do, and has it ignore the rest when that becomes too much:
 * six bytes can ask for half a million cells to be moved.
 */
export class Workload {
  readonly #emulator: Emulator
  #cells = 0

  constructor(emulator: Emulator) {
    this.#emulator = emulator
    const count = (params: (number | number[])[]) => Math.max(1, [params[0]].flat()[0] ?? 1)
    const lines = (params: (number | number[])[]) => count(params) * (emulator.cols + lineCells)
    const line = () => emulator.cols
    const screen = () => emulator.cols * emulator.rows
    for (const final of 'STLM') this.#weigh({ final }, lines)
    for (const final of '@PXK') this.#weigh({ final }, line)
    for (const final of 'bIZ') this.#weigh({ final }, (params) => count(params) * 8)
    for (const final of '@A') this.#weigh({ intermediates: ' ', final }, screen)
    for (const final of '}~') this.#weigh({ intermediates: "'", final }, screen)
    this.#weigh({ final: 'J' }, screen)
    for (const final of 'Jhl') this.#weigh({ prefix: '?', final }, screen)
    this.#weigh({ intermediates: '!', final: 'p' }, screen)
    for (const id of [{ final: 'c' }, { intermediates: '#', final: '8' }]) {
      emulator.parser.registerEscHandler(id, () => this.#charge(screen()))
    }
    // Links are nobody's to follow here, and each would have every line that is fed look after it.
    emulator.parser.registerOscHandler(8, () => true)
  }

  /** Sequences were ignored since the last `begin`. */
  get isExceeded(): boolean {
    return this.#cells > budgetCells
  }

  /** A new slice. */
  begin(): void {
    this.#cells = 0
  }

  #weigh(
    id: { prefix?: string; intermediates?: string; final: string },
    cost: (params: (number | number[])[]) => number,
  ): void {
    this.#emulator.parser.registerCsiHandler(id, (params) => this.#charge(cost(params)))
  }

  /** Answers as a handler: true leaves the sequence out. */
  #charge(cells: number): boolean {
    this.#cells += cells
    return this.isExceeded
  }
}
