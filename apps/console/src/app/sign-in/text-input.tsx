import type { ComponentPropsWithRef } from 'react'
import styles from './sign-in.module.css'

interface TextInputProps extends Omit<ComponentPropsWithRef<'input'>, 'id' | 'className'> {
  id: string
  label: string
  maxLength: number
}

/** A text with its label; it has to be given. */
export function TextInput({ label, ...rest }: TextInputProps) {
  return (
    <>
      <label className={styles.label} htmlFor={rest.id}>
        {label}
      </label>
      <input {...rest} className={styles.input} required />
    </>
  )
}
