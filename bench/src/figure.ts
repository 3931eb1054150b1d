/** One row of the table: a figure, what it is measured against in the same run, and what was asked for. */
export interface Figure {
  name: string
  /** Measured, with its unit, for the reader. */
  measured: string
  /** What it is compared with: a peer of the same run, or the limit. */
  against: string
  /** measured / against, so that higher is better; undefined where there is nothing to compare with. */
  ratio: number | undefined
  /** The ratio that was asked for; undefined: only measured. */
  asked: number | undefined
}
export interface Bench {
  name: string
  run: () => Promise<Figure[]>
}

/** A figure that must stay below a limit: the ratio is limit / measured, asked to be at least 1. */
export const below = (name: string, measured: number, limit: number, unit: string): Figure => ({
  name,
  measured: `${round(measured)} ${unit}`,
  against: `at most ${round(limit)} ${unit}`,
  ratio: limit / measured,
  asked: 1,
})
/** A figure against a peer measured in the same run. */
export const versus = (
  name: string,
  measured: number,
  peer: number,
  unit: string,
  peerName: string,
  asked: number,
): Figure => ({
  name,
  measured: `${round(measured)} ${unit}`,
  against: `${peerName}: ${round(peer)} ${unit}`,
  ratio: measured / peer,
  asked,
})
/** Only measured. */
export const plain = (name: string, measured: string): Figure => ({
  name,
  measured,
  against: '',
  ratio: undefined,
  asked: undefined,
})

export const round = (value: number) => (value >= 100 ? String(Math.round(value)) : value.toPrecision(3))
export const median = (values: readonly number[]) => percentile(values, 0.5)
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
