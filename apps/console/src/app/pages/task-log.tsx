import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { followTask } from '../../kit/tasks/follow-task.ts'
import { TerminalView } from '../../kit/terminal/terminal-view.ts'
import styles from './task-log.module.css'

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
    const stop = followTask(id, type, {
      onText: (text) => view.write(text),
      onLost: () => view.write(`\r\n${failed}\r\n`),
    })
    return () => {
      stop()
      view.dispose()
    }
  }, [type, id, failed])
  return (
    <main className={styles.page} aria-label={title}>
      <div ref={frame} className={styles.terminal} />
    </main>
  )
}
