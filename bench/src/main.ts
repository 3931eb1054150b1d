/** `npm run bench [name …]`: runs the benches and prints one table. Every figure stands with its ratio. */
import type { Bench, Figure } from './figure.ts'

const modules = [
  'start',
  'lists',
  'rows',
  'exports',
  'strain',
  'sign-ins',
  'grants',
  'scale',
  'ssh-transport',
  'ssh-idle',
  'ssh-bulk',
  'ssh-shell',
  'ssh-echo',
  'ssh-hostile',
  'ssh-flood',
  'ssh-packets',
  'ssh-sessions',
  'whole-sessions',
  'reachability',
  'kill',
  'bundle',
  'draws',
  'console',
]

async function main(): Promise<void> {
  const wanted = process.argv.slice(2)
  const figures: Figure[] = []
  for (const name of modules.filter((module) => wanted.length === 0 || wanted.includes(module))) {
    process.stderr.write(`measuring ${name} …\n`)
    const loaded = (await import(`./${name}.ts`)) as { default: Bench }
    figures.push(...(await loaded.default.run()))
  }
  print(figures)
}

function print(figures: readonly Figure[]): void {
  const rows = figures.map((figure) => [
    figure.name,
    figure.measured,
    figure.against,
    figure.ratio === undefined ? '' : figure.ratio.toFixed(2),
    figure.asked === undefined ? '' : `≥ ${figure.asked.toFixed(2)}`,
    figure.ratio === undefined || figure.asked === undefined
      ? ''
      : figure.ratio >= figure.asked
        ? 'yes'
        : 'NO',
  ])
  const table = [['Figure', 'Measured', 'Against', 'Ratio', 'Asked', 'Reached'], ...rows]
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  for (const row of table)
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

await main()
