import { useKitText } from '../text.ts'
import styles from './skeleton.module.css'

const lines = [1, 2, 3, 4, 5, 6]

/** Lines in the place of what is still loading. */
export function Skeleton() {
  const t = useKitText()
  return (
    <div className={styles.skeleton} role="status" aria-label={t('loading')}>
      {lines.map((line) => (
        <i key={line} />
      ))}
    </div>
  )
}
