/** What the test of `offload` has done elsewhere. */
export function spin(ms: number): number {
  const end = performance.now() + ms
  while (performance.now() < end);
  return ms
}
export function hoard(): number {
  const kept: unknown[][] = []
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })))
}
export function leave(): never {
  process.exit(1)
}
export function complain(about: string): never {
  throw new RangeError(about)
}
