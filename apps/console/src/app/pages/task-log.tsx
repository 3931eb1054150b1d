import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { TerminalView } from '../../kit/terminal/terminal-view.ts'
import styles from './task-log.module.css'

const normalClosure = 1000

/** A message of the socket; the last one says `end` and nothing else. */
function textOf(data: unknown): string {
  try {
    const { message } = JSON.parse(String(data)) as { message?: unknown }
    return typeof message === 'string' ? message : ''
  } catch {
    return ''
  }
}

/** The log of a task as it is written: a page of its own, for a window beside the one the task was started from. */
export default function TaskLogPage() {
  const { t } = useTranslation()
  const { type = '', id = '' } = useParams()
  const frame = useRef<HTMLDivElement>(null)
  const title = t('taskLog')
  const failed = t('socketFailed')
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    if (frame.current === null) return undefined
    const view = new TerminalView()
    view.open(frame.current)
    const { protocol, host } = location
    const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/ws/ops/tasks/log/`)
    socket.addEventListener('open', () => socket.send(JSON.stringify({ task: id, type })))
    socket.addEventListener('message', ({ data }) => view.write(textOf(data)))
    socket.addEventListener('close', ({ wasClean, code }) => {
      if (!wasClean || code !== normalClosure) view.write(`\r\n${failed}\r\n`)
    })
    return () => {
      socket.close(normalClosure)
      view.dispose()
    }
  }, [type, id, failed])
  return (
    <main className={styles.page} aria-label={title}>
      <div ref={frame} className={styles.terminal} />
    </main>
  )
}
