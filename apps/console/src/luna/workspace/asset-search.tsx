import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useErrorText } from '../error-text.ts'
import { useText } from '../text.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'
import { useAssetSearch } from './granted.ts'

const debounceMs = 200

interface AssetSearchProps {
  text: string
  onText: (text: string) => void
  onConnect: (assetId: string, ask: boolean) => void
}

/** Finds assets on the server while the person types. The field keeps the focus; arrows choose, Enter connects, Escape clears. */
export function AssetSearch({ text, onText, onConnect }: AssetSearchProps) {
  const t = useText()
  const errorText = useErrorText()
  const query = useDebounced(text.trim(), debounceMs)
  const search = useAssetSearch(query)
  const [chosen, setChosen] = useState(0)
  const listRef = useRef<HTMLUListElement>(null)
  const rows = search.data?.pages.flatMap((page) => page.results) ?? []
  const isSearching = text.trim() !== ''
  const active = Math.min(chosen, rows.length - 1)

  const choose = (index: number) => {
    setChosen(index)
    listRef.current?.children[index]?.scrollIntoView({ block: 'nearest' })
    if (index >= rows.length - 3 && search.hasNextPage && !search.isFetchingNextPage)
      void search.fetchNextPage()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active]
    if (event.key === 'ArrowDown') choose(Math.min(active + 1, rows.length - 1))
    else if (event.key === 'ArrowUp') choose(Math.max(active - 1, 0))
    else if (event.key === 'Escape' && isSearching) onText('')
    // Only rows that answer what the field says now: not the ones of the letter before.
    else if (event.key === 'Enter' && row && query === text.trim()) {
      if (row.is_active) onConnect(row.id, event.shiftKey)
    } else return
    event.preventDefault()
  }

  return (
    <>
      <div className="search">
        <Icon name="search" />
        <input
          id="asset-search"
          type="search"
          role="combobox"
          value={text}
          maxLength={128}
          placeholder={t('searchAssets')}
          aria-label={t('searchAssets')}
          aria-expanded={isSearching}
          aria-controls="asset-results"
          aria-activedescendant={isSearching && active >= 0 ? `result-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => {
            onText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {isSearching && (
        <section className="results" aria-busy={search.isFetching}>
          <p className="hint" role="status">
            {search.error && errorText(search.error)}
            {search.isPending && !search.error && t('searching')}
            {search.data && t('found', { count: search.data.pages[0]?.count ?? 0 })}
          </p>
          <ul id="asset-results" role="listbox" aria-label={t('searchAssets')} ref={listRef}>
            {rows.map((row, index) => (
              <li
                key={row.id}
                id={`result-${index}`}
                role="option"
                aria-selected={index === active}
                aria-disabled={!row.is_active}
                className="result"
                title={row.is_active ? row.org_name : t('assetInactive')}
                onClick={(event) => event.detail <= 1 && row.is_active && onConnect(row.id, false)}
                onContextMenu={(event) => {
                  event.preventDefault()
                  if (row.is_active) onConnect(row.id, true)
                }}
              >
                <Icon name="host" />
                <span className="result-text">
                  <span className="tree-name">{row.name}</span>
                  <span className="result-address">
                    {row.address} · {row.platform.name}
                  </span>
                </span>
              </li>
            ))}
          </ul>
          {search.hasNextPage && (
            <Button onClick={() => void search.fetchNextPage()} aria-busy={search.isFetchingNextPage}>
              {t('loadMore')}
            </Button>
          )}
        </section>
      )}
    </>
  )
}

function useDebounced(value: string, delayMs: number) {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
