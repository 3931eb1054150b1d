import styles from './sign-in.module.css'

/** Where a form says what is wrong; it is read out as soon as there is something. */
export function FormError({ id, children: text }: { id?: string; children: string }) {
  return (
    <div className={styles.error} role="alert" id={id}>
      {text && <p>{text}</p>}
    </div>
  )
}
