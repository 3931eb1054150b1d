import type { ReactNode } from 'react'
import { type TextKey, useMessages } from '../text.ts'
import styles from './detail.module.css'

/** A titled box on a detail page. */
export function Card({ title, extra, children }: { title: string; extra?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.card} aria-label={title}>
      <header>
        <h2>{title}</h2>
        {extra}
      </header>
      {children}
    </section>
  )
}

/** The same, where the title is named in a declaration. */
export function TitledCard({ title, children }: { title: TextKey; children: ReactNode }) {
  return <Card title={useMessages()(title)}>{children}</Card>
}

/** The two columns of a detail page; one below the other where it is narrow. */
export function Columns({ main, side }: { main: ReactNode; side?: ReactNode }) {
  return (
    <div className={styles.columns}>
      <div>{main}</div>
      {side && <div>{side}</div>}
    </div>
  )
}
