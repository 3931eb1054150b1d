import type { ReactNode } from 'react'
import type { FieldMeta, FieldMetas } from '../api/metadata.ts'
import { useMetadata } from '../api/hooks.ts'
import { isRecord } from '../api/errors.ts'
import type { Row } from '../api/resource.ts'
import { statusOf } from '../list/cells.tsx'
import { isDateColumn } from '../list/columns.ts'
import { nothing, plainValue } from '../values/plain-value.ts'
import { showDateTime } from '../dates/dates.ts'
import { type KitText, useKitText } from '../text.ts'
import { Card } from './card.tsx'
import { type DetailLine, Lines } from './lines.tsx'

export interface DetailCardProps<R extends Row> {
  row: R
  /** Whose description is used: the list path. */
  path: string
  title?: string
  /** Fields shown, in order, as far as the row has them; every readable one unless said. */
  fields?: readonly (keyof R & string)[] | ((row: R) => readonly (keyof R & string)[])
  exclude?: readonly (keyof R & string)[]
  /** Values shown in a way of their own. */
  values?: { readonly [K in keyof R & string]?: (row: R) => ReactNode }
  labels?: { readonly [K in keyof R & string]?: string }
}

/** A row's fields as label and value, named by the server's metadata. */
export function DetailCard<R extends Row>(props: DetailCardProps<R>) {
  const t = useKitText()
  const metadata = useMetadata(props.path)
  const metas = metadata.data?.actions?.GET
  if (metadata.isPending) {
    return <Card title={props.title ?? t('basicInfo')}>{null}</Card>
  }
  return (
    <Card title={props.title ?? t('basicInfo')}>
      <Lines lines={detailLines(props, metas ?? {}, t)} />
    </Card>
  )
}

/** The lines of a detail card. Lists of words become a line each, the first with the label. */
export function detailLines<R extends Row>(
  { row, fields, exclude = [], values = {}, labels = {} }: Omit<DetailCardProps<R>, 'path'>,
  metas: FieldMetas,
  t: KitText,
): DetailLine[] {
  const left = new Set<string>([...exclude, 'org_id'])
  const given = typeof fields === 'function' ? fields(row) : fields
  const names = given ?? [...new Set([...Object.keys(metas), ...Object.keys(values)])]
  return names
    .filter((name) => !left.has(name) && !metas[name]?.write_only && (name in row || values[name]))
    .flatMap((name): DetailLine[] => {
      const label = labels[name] ?? metas[name]?.label ?? name
      const own = values[name]
      if (own) {
        const value = own(row)
        return [{ key: name, label, value: value === '' ? nothing : value }]
      }
      return linesOf(name, label, row[name], metas[name], t)
    })
}

function linesOf(
  name: string,
  label: string,
  value: unknown,
  meta: FieldMeta | undefined,
  t: KitText,
): DetailLine[] {
  if (Array.isArray(value) && value.length > 1) {
    return value.map((item, index) => ({
      key: `${name} ${index}`,
      label: index === 0 ? label : '',
      value: plainValue(item, t),
    }))
  }
  if (meta?.type === 'nested object' && meta.children && isRecord(value)) {
    return Object.entries(meta.children).flatMap(([child, childMeta]) =>
      linesOf(`${name}.${child}`, childMeta.label ?? child, value[child], childMeta, t),
    )
  }
  const shown =
    statusOf(name, value, t) ??
    (isDateColumn(name, meta) && value ? showDateTime(value) : plainValue(value, t))
  return [{ key: name, label, value: shown || nothing }]
}
