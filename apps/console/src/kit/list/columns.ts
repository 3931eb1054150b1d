import type { ReactNode } from 'react'
import type { FieldMeta, FieldMetas } from '../api/metadata.ts'
import type { Row } from '../api/resource.ts'
import type { Text, TextKey } from '../text.ts'

/** What a screen says about one column; everything left out comes from the metadata. */
export interface ColumnSpec<R extends Row = Row> {
  label?: TextKey
  /** So wide, and no wider where room is short. */
  widthPx?: number
  /** For a column without a width: never narrower than this where room is short. */
  leastPx?: number
  sortable?: boolean
  align?: 'start' | 'center' | 'end'
  /** Let long text wrap instead of cutting it, and have more of the room that is left. */
  wrap?: boolean
  render?: (row: R) => ReactNode
}

/** A column that is no field: it says itself what it shows. */
export type OwnColumn<R extends Row = Row> = ColumnSpec<R> & Required<Pick<ColumnSpec<R>, 'label' | 'render'>>

export interface Column<R extends Row = Row> extends Omit<ColumnSpec<R>, 'label'> {
  name: string
  label: string
  meta: FieldMeta | undefined
  sortable: boolean
}

/** Which columns a list has. `C` are the fields of the rows, `X` the screen's own columns. */
export interface ColumnChoice<R extends Row = Row, C extends string = string, X extends string = string> {
  /** Candidate columns in their order; left out: every readable field and the screen's own columns. */
  columns?: readonly (C | NoInfer<X>)[]
  exclude?: readonly C[]
  /** Excluded and not even asked for: what a row may hold thousands of. */
  unread?: readonly C[]
  /** Shown until the person chooses; left out: all. */
  defaultColumns?: readonly (C | NoInfer<X>)[]
  /** Cannot be switched off; `id` cannot either. */
  minColumns?: readonly (C | NoInfer<X>)[]
  cells?: Readonly<Partial<Record<C, ColumnSpec<R>>>>
  /** Columns that are no fields. */
  extra?: Readonly<Record<X, OwnColumn<R>>>
}

const validPx = 84
const activePx = 76
/** An ordinary name: some twenty characters, or twice as many in two lines. */
const namePx = 140
const leastPx = 72
/** An id says little: so much of it that two can be told apart, and all of it under the pointer. */
const idPx = 64
const datePx = 150

/** All columns a list can show, in order: the explicit list or the readable fields, plus the screen's own ones. */
export function candidateColumns<R extends Row>(
  metas: FieldMetas,
  choice: ColumnChoice<R>,
  text: Text,
  labels: Readonly<Record<string, string>> = {},
): Column<R>[] {
  const readable = Object.keys(metas).filter((name) => !metas[name]?.write_only)
  const names = choice.columns ?? idLast([...readable, ...Object.keys(choice.extra ?? {})])
  const excluded = new Set([...(choice.exclude ?? []), ...(choice.unread ?? []), 'actions'])
  return [...new Set(names)]
    .filter((name) => !excluded.has(name))
    .map((name) => {
      const spec = choice.extra?.[name] ?? choice.cells?.[name]
      const own = spec?.label && text(spec.label)
      return columnOf(name, metas[name], spec, own ?? labels[name])
    })
}

/** An id says the least to a person: it stands behind what says more. */
function idLast(names: readonly string[]): readonly string[] {
  return names.includes('id') ? [...names.filter((name) => name !== 'id'), 'id'] : names
}

function columnOf<R extends Row>(
  name: string,
  meta: FieldMeta | undefined,
  spec: ColumnSpec<R> = {},
  label?: string,
): Column<R> {
  return {
    name,
    meta,
    widthPx: widthOf(name, meta),
    // What a row is called must be readable.
    ...(name === 'name' && { wrap: true, leastPx: namePx }),
    ...spec,
    label: label ?? meta?.label ?? '',
    sortable: spec.sortable ?? meta?.order === true,
  }
}

function widthOf(name: string, meta: FieldMeta | undefined): number | undefined {
  if (name === 'id') return idPx
  if (name === 'is_active') return activePx
  if (name === 'is_valid' || meta?.type === 'boolean') return validPx
  return isDateColumn(name, meta) ? datePx : undefined
}

/** How a column shares in the width where room is short: what it has in any case, and its parts of what is left. */
export function shareOf({ widthPx, leastPx: least, wrap }: Column): { px: number; parts: number } {
  if (widthPx !== undefined) return { px: widthPx, parts: 0 }
  return { px: least ?? (wrap ? namePx : leastPx), parts: wrap ? 2 : 1 }
}

/** Columns shown as local date and time. */
export function isDateColumn(name: string, meta: FieldMeta | undefined): boolean {
  return meta?.type === 'datetime' || name === 'datetime' || name === 'date_start'
}

/** The columns shown now: the saved choice, else the default, else all; always those that cannot be switched off. */
export function visibleColumns<R extends Row>(
  candidates: readonly Column<R>[],
  choice: ColumnChoice<R>,
  saved: readonly string[] | undefined,
): Column<R>[] {
  const chosen = saved ?? choice.defaultColumns ?? candidates.map((column) => column.name)
  const shown = new Set([...chosen, ...lockedColumns(choice)])
  const visible = candidates.filter((column) => shown.has(column.name))
  return visible.length > 0 ? visible : [...candidates]
}

/** Columns the person cannot switch off: `id`, where the list has it, and those of the screen that show by default. */
export function lockedColumns(choice: Pick<ColumnChoice, 'minColumns' | 'defaultColumns'>): string[] {
  const { minColumns = [], defaultColumns: defaults } = choice
  return ['id', ...minColumns.filter((name) => !defaults || defaults.includes(name))]
}
