import { Select, type SelectProps } from 'antd'
import { type KeyboardEvent, type UIEvent, type RefObject, useEffect, useMemo, useRef } from 'react'
import { useAccess } from '../access/access.ts'
import { ApiError } from '../api/errors.ts'
import { useKitText } from '../text.ts'
import { useClear } from '../values/use-clear.tsx'
import { type Related, relatedItems, labelOf, type RelationSource } from './relation.ts'
import { useOpenedList } from './use-opened-list.ts'
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
  const access = useAccess()
  const isCreatable = source?.creatable !== undefined && access.can(source.creatable)
  const list = useOpenedList()
  const { open } = list
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
    label: item.label ?? labels.get(String(item.id)) ?? item.name ?? String(item.id),
  }))
  const pick = (key: string): Related => {
    const row = candidates.rows.find((candidate) => String(candidate.id) === key)
    return row ? { id: row.id, label: labels.get(key) } : (known.get(key) ?? { label: key })
  }
  const entered = useRef(false)
  const search = (text: string) => {
    entered.current = false
    candidates.search(text)
  }
  const change = (keys: readonly string[]) => {
    const items = keys.map(pick)
    onChange(multiple ? items : (items[0] ?? null))
    search('')
  }
  const isTaken = (key: string) => taken?.has(key) === true
  const chooseFirst = () => {
    const key = candidates.rows.map((row) => String(row.id)).find((id) => !isTaken(id))
    if (key === undefined || known.has(key)) return
    change(multiple ? [...known.keys(), key] : [key])
    if (!multiple) list.onOpenChange(false)
  }
  // Enter pressed before the rows of what is typed are there chooses the first of them when they come.
  useOnce(entered, !candidates.awaited, chooseFirst)
  const onInputKeyDown = (event: KeyboardEvent) => {
    list.onInputKeyDown(event)
    if (event.key === 'Tab') search('')
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    if (!open || !candidates.awaited || candidates.typed === '' || isCreatable) return
    event.preventDefault()
    event.stopPropagation()
    entered.current = true
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
    allowClear: useClear(),
    labelInValue: true,
    showSearch: { filterOption: false, searchValue: candidates.typed, onSearch: search },
    open,
    onInputKeyDown,
    style: { width: '100%' },
    loading: candidates.loading && open,
    notFoundContent: candidates.loading ? t('loading') : candidates.error ? t('loadingFailed') : t('noData'),
    options: candidates.rows.map((row) => ({
      value: String(row.id),
      label: labels.get(String(row.id)),
      disabled: isTaken(String(row.id)),
    })),
    onOpenChange: (opened) => {
      list.onOpenChange(opened)
      if (!opened) search('')
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
        mode={isCreatable ? 'tags' : 'multiple'}
        maxTagCount={shownTags}
        value={selected}
        onChange={(items) => change(items.map((item) => item.value))}
      />
    )
  }
  return (
    <Select<{ value: string } | null>
      {...shared}
      value={selected[0] ?? null}
      onChange={(item) => change(item ? [item.value] : [])}
    />
  )
}

const keyOf = (item: Related) => String(item.id ?? item.label)

/** Does what was wanted, once, when the time has come. */
function useOnce(wantedRef: RefObject<boolean>, isTime: boolean, act: () => void): void {
  useEffect(() => {
    if (!wantedRef.current || !isTime) return
    wantedRef.current = false
    act()
  })
}
