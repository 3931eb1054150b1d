import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import type { LoadFailed } from './load-code.ts'
import styles from './loading.module.css'
import { useLoadAgain } from './use-load-again.ts'

/** Says in the place of a part of the page why it is not there. */
export function PartFailed({ error, onRetry }: { error: LoadFailed; onRetry: () => void }) {
  const t = useKitText()
  const { loadAgain } = useLoadAgain()
  const wasUpgraded = error.reason === 'upgraded'
  return (
    <div className={styles.failed} role="alert">
      {describeError(error, t)}{' '}
      <button type="button" className={styles.again} onClick={wasUpgraded ? loadAgain : onRetry}>
        {t(wasUpgraded ? 'loadAgain' : 'retry')}
      </button>
    </div>
  )
}
