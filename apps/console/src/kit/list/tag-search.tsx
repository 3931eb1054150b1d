import { CloseOutlined, FilterOutlined } from '@ant-design/icons'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useMenu } from '../menu/menu.tsx'
import { useKitText } from '../text.ts'
import styles from './tag-search.module.css'
import type { Filters } from './list-state.ts'
import {
  optionOf,
  type SearchOption,
  type SearchTag,
  searchTags,
  withTag,
  withoutTag,
} from './search-options.ts'

interface TagSearchProps {
  /** What is searched. */
  label: string
  options: readonly SearchOption[]
  filters: Filters
  onChange: (filters: Filters) => void
}

/**
 * The search box of a list: free words and fields with values, each a tag. `/` anywhere on the page focuses it,
 * Backspace in the empty box takes the last tag back.
 */
export function TagSearch({ label, options, filters, onChange }: TagSearchProps) {
  const t = useKitText()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [field, setField] = useState<SearchOption>()
  const tags = searchTags(filters, options)
  useSlashFocus(input)

  const commit = () => {
    if (field || text.trim()) {
      onChange(withTag(filters, field?.name ?? 'search', text))
    }
    setText('')
    setField(undefined)
  }
  const edit = (tag: SearchTag) => {
    setField(optionOf(options, tag.key))
    setText(tag.value)
    onChange(withoutTag(filters, tag))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const last = tags.at(-1)
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      commit()
    } else if (event.key === 'Escape') {
      setText('')
      setField(undefined)
    } else if (event.key === 'Backspace' && text === '') {
      if (field) {
        setField(undefined)
      } else if (last) {
        onChange(withoutTag(filters, last))
      }
    }
  }
  const fields = useMenu({
    label: t('searchBy'),
    entries: options.map(({ name, label, choices }) =>
      choices
        ? {
            key: name,
            label,
            entries: choices.map((choice) => ({
              key: `${name}=${String(choice.value)}`,
              label: choice.label,
              onSelect: () => onChange(withTag(filters, name, String(choice.value))),
            })),
          }
        : {
            key: name,
            label,
            onSelect: () => {
              setField({ name, label })
              input.current?.focus()
            },
          },
    ),
  })

  return (
    <div className={styles.search} role="search" aria-label={label}>
      {options.length > 0 && (
        <button
          {...fields.trigger}
          type="button"
          className={styles.searchFields}
          aria-label={t('searchBy')}
          title={t('searchBy')}
        >
          <FilterOutlined aria-hidden />
        </button>
      )}
      {fields.menu}
      {tags.map((tag) => (
        <span key={`${tag.key}=${tag.value}`} className={styles.tag}>
          <button type="button" disabled={tag.picked} title={tag.shown} onClick={() => edit(tag)}>
            {tag.label && <b>{tag.label}: </b>}
            {tag.shown}
          </button>
          <button
            type="button"
            aria-label={t('removeFilter', { name: `${tag.label} ${tag.shown}`.trim() })}
            onClick={() => onChange(withoutTag(filters, tag))}
          >
            <CloseOutlined aria-hidden />
          </button>
        </span>
      ))}
      {field && <span className={styles.pending}>{field.label}:</span>}
      <input
        ref={input}
        value={text}
        maxLength={256}
        aria-label={t('search')}
        placeholder={tags.length === 0 && !field ? t('searchHint') : ''}
        enterKeyHint="search"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (text.trim()) {
            commit()
          }
        }}
      />
    </div>
  )
}

/** Focuses the box when somebody types `/` outside of a field. */
function useSlashFocus(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const target = event.target
      const typing =
        target instanceof HTMLElement &&
        (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
      if (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault()
        input.current?.focus()
      }
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [input])
}
