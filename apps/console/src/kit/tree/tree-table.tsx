import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { type ReactNode, useState } from 'react'
import { useKitText } from '../text.ts'
import styles from './tree.module.css'

/** A tree beside what it chooses from; the tree can be folded away, and lies above on a phone. */
export function TreeTable({ tree, children }: { tree: ReactNode; children: ReactNode }) {
  const t = useKitText()
  const [folded, setFolded] = useState(false)
  return (
    <div className={styles.split} data-folded={folded}>
      {!folded && <div className={styles.side}>{tree}</div>}
      <button
        type="button"
        className={styles.fold}
        aria-label={t(folded ? 'showTree' : 'hideTree')}
        aria-expanded={!folded}
        onClick={() => setFolded(!folded)}
      >
        {folded ? <RightOutlined aria-hidden /> : <LeftOutlined aria-hidden />}
      </button>
      <div className={styles.main}>{children}</div>
    </div>
  )
}
