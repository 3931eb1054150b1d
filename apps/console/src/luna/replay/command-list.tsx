import { listUrl } from '@sallyport/contract/resource/resource'
import { Command } from '@sallyport/contract/resources/terminal'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../kit/api/client.ts'
import type { Page } from '../../kit/api/resource.ts'
import { showDuration } from '../duration.ts'
import { useErrorText } from '../error-text.ts'
import { useText } from '../text.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icons.tsx'

const pageSize = 30
const debounceMs = 250
/** A little before a command it is shown being typed. */
const leadMs = 1500

interface CommandListProps {
  sessionId: string
  /** When the session began, in unix milliseconds. */
  startedMs: number
  positionMs: number
  onSeek: (timeMs: number) => void
}

/** The session's commands in their order; choosing one shows the moment it was typed. The search asks the server. */
export function CommandList({ sessionId, startedMs, positionMs, onSeek }: CommandListProps) {
  const t = useText()
  const errorText = useErrorText()
  const [text, setText] = useState('')
  const [query, setQuery] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setQuery(text.trim()), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  const list = useInfiniteQuery({
    queryKey: ['commands', sessionId, query],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Command>>(listUrl(Command), {
        query: {
          session_id: sessionId,
          order: 'timestamp,sequence',
          input: query,
          limit: pageSize,
          offset: pageParam,
        },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) =>
      pages.length * pageSize < last.count ? pages.length * pageSize : undefined,
  })
  const commands = list.data?.pages.flatMap((page) => page.results) ?? []
  const timeOf = (command: Command) => Math.max(0, command.timestamp * 1000 + command.millisecond - startedMs)
  const current = commands.findLast((command) => timeOf(command) - leadMs <= positionMs)

  return (
    <aside className="commands" aria-label={t('commands')}>
      <div className="search">
        <Icon name="search" />
        <input
          type="search"
          value={text}
          maxLength={128}
          placeholder={t('searchCommands')}
          aria-label={t('searchCommands')}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {list.error && <p className="hint is-error">{errorText(list.error)}</p>}
      {list.data && commands.length === 0 && <p className="hint">{t('noCommands')}</p>}
      <ol>
        {commands.map((command) => (
          <li key={command.id}>
            <button
              type="button"
              className="command"
              aria-current={command === current ? 'step' : undefined}
              title={command.input}
              onClick={() => onSeek(timeOf(command) - leadMs)}
            >
              <span className="command-time">{showDuration(timeOf(command))}</span>
              <code>{command.input}</code>
              {command.risk_level.value > 0 && <span className="command-risk">{t('dangerous')}</span>}
            </button>
          </li>
        ))}
      </ol>
      {list.hasNextPage && (
        <Button aria-busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('loadMore')}
        </Button>
      )}
    </aside>
  )
}
