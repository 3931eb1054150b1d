import styles from './values.module.css'

/** Where the second half of a `name(more)` or `name@domain` begins. */
const halves = /^(.+?)(\([^()]*\)|@[^@]*)$/su

/** A `name(more)` or an address of mail: in one line where there is room, else in two, and never parted within a word. */
export function PairText({ text }: { text: string }) {
  const [, first = text, second] = halves.exec(text) ?? []
  return (
    <span className={styles.pair} title={text}>
      <span>{first}</span>
      {second && <span>{second}</span>}
    </span>
  )
}
