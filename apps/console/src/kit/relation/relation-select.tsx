import { Select, type SelectProps } from 'antd'
import { type UIEvent, useMemo, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { useKitText } from '../text.ts'
import { type Related, relatedItems, labelOf, type RelationSource } from './relation.ts'
import { useCandidates, useResolvedRows } from './use-candidates.ts'

interface RelationSelectProps {
  id?: string
  label?: string
  source: RelationSource | undefined
  multiple: boolean
  value: unknown
  onChange: (value: Related | Related[] | null) => void
  onBlur?: () => void
  disabled?: boolean
  invalid?: boolean
  describedBy?: string
  placeholder?: string
  /** Shown but not to be chosen, as what is related already. */
  taken?: ReadonlySet<string>
}

const loadMoreWithinPx = 600
const shownTags = 50

/** A select over another resource: searched and paged by the server; ids without a name are looked up. */
export function RelationSelect(props: RelationSelectProps) {
  const { source, multiple, value, onChange, taken } = props
  const t = useKitText()
  const [open, setOpen] = useState(false)
  const candidates = useCandidates(source, open)
  const chosen = useMemo(() => relatedItems(value, source), [value, source])
  const nameless = chosen.flatMap((item) => (item.id !== undefined && !item.label ? [item.id] : []))
  const resolved = useResolvedRows(source, nameless)
  const labels = new Map<string, string>()
  for (const row of [...(resolved ?? []), ...candidates.rows]) {
    labels.set(String(row.id), labelOf(row, source) ?? String(row.id))
  }
  const known = new Map(chosen.map((item) => [keyOf(item), item]))
  const selected = chosen.map((item) => ({
    value: keyOf(item),
    label: item.label ?? labels.get(String(item.id)) ?? String(item.id),
  }))
  const pick = (key: string): Related => {
    const row = candidates.rows.find((candidate) => String(candidate.id) === key)
    return row ? { id: row.id, label: labels.get(key) } : (known.get(key) ?? { label: key })
  }
  const forbidden = candidates.error instanceof ApiError && candidates.error.status === 403
  const shared: SelectProps = {
    id: props.id,
    'aria-label': props.label,
    'aria-describedby': props.describedBy,
    'aria-invalid': props.invalid,
    status: props.invalid ? 'error' : undefined,
    disabled: props.disabled || forbidden || !source,
    placeholder: props.placeholder,
    allowClear: true,
    labelInValue: true,
    showSearch: { filterOption: false, onSearch: candidates.search },
    style: { width: '100%' },
    loading: candidates.loading && open,
    notFoundContent: candidates.loading ? t('loading') : candidates.error ? t('loadingFailed') : t('noData'),
    options: candidates.rows.map((row) => ({
      value: String(row.id),
      label: labels.get(String(row.id)),
      disabled: taken?.has(String(row.id)),
    })),
    onOpenChange: (opened) => {
      setOpen(opened)
      if (!opened) {
        candidates.search('')
      }
    },
    onPopupScroll: (event: UIEvent<HTMLElement>) => {
      const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
      if (scrollHeight - scrollTop - clientHeight < loadMoreWithinPx) {
        candidates.loadMore()
      }
    },
    onBlur: props.onBlur,
  }
  if (multiple) {
    return (
      <Select<{ value: string }[]>
        {...shared}
        mode={source?.creatable ? 'tags' : 'multiple'}
        maxTagCount={shownTags}
        value={selected}
        onChange={(items) => onChange(items.map((item) => pick(item.value)))}
      />
    )
  }
  return (
    <Select<{ value: string } | null>
      {...shared}
      value={selected[0] ?? null}
      onChange={(item) => onChange(item ? pick(item.value) : null)}
    />
  )
}

const keyOf = (item: Related) => String(item.id ?? item.label)
