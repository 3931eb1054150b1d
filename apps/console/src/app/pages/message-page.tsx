import type { ReactNode } from 'react'
import styles from './pages.module.css'

interface MessagePageProps {
  code?: string
  title: string
  text: string
  /** For the administrator: what exactly failed. */
  detail?: string
  action: ReactNode
}

/** A page that says one thing and offers one way on. */
export function MessagePage({ code, title, text, detail, action }: MessagePageProps) {
  return (
    <div className={styles.page}>
      {code && (
        <div className={styles.code} aria-hidden>
          {code}
        </div>
      )}
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      {detail && <p className={styles.detail}>{detail}</p>}
      {action}
    </div>
  )
}
