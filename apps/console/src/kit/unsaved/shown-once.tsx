import { Button, Checkbox } from 'antd'
import { type ReactNode, useState } from 'react'
import styles from './shown-once.module.css'
import { useUnsaved } from './unsaved.ts'

interface ShownOnceProps {
  /** With what the person says that it is kept. */
  kept: string
  /** On the button that goes on. */
  done: string
  onDone: () => void
  children: ReactNode
}

/** What is shown this one time. The person goes on once it is kept, and is asked before it is left otherwise. */
export function ShownOnce({ kept, done, onDone, children }: ShownOnceProps) {
  const [isKept, setKept] = useState(false)
  useUnsaved(!isKept, 'shownOnce')
  return (
    <div className={styles.body}>
      {children}
      <Checkbox checked={isKept} onChange={(event) => setKept(event.target.checked)}>
        {kept}
      </Checkbox>
      <Button type="primary" block disabled={!isKept} onClick={onDone}>
        {done}
      </Button>
    </div>
  )
}
