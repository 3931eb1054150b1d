import {
  CheckCircleFilled,
  CloseCircleFilled,
  CloseOutlined,
  ExclamationCircleFilled,
} from '@ant-design/icons'
import { type ReactNode, useRef, useSyncExternalStore } from 'react'
import { useKitText } from '../text.ts'
import styles from './feedback.module.css'
import { currentToast, dismissToast, holdToast, subscribeToToast, type ToastKind } from './toast.ts'

const icons: Record<ToastKind, ReactNode> = {
  success: <CheckCircleFilled aria-hidden />,
  info: <ExclamationCircleFilled aria-hidden />,
  warning: <ExclamationCircleFilled aria-hidden />,
  error: <CloseCircleFilled aria-hidden />,
}

/** Where toasts appear; announced to screen readers, errors at once. Mounted once, by KitRoot. */
export function ToastHost() {
  const t = useKitText()
  const toast = useSyncExternalStore(subscribeToToast, currentToast)
  const release = useRef<(() => void) | undefined>(undefined)
  return (
    <div className={styles.host} aria-live={toast?.kind === 'error' ? 'assertive' : 'polite'} role="status">
      {toast && (
        <div
          key={toast.id}
          className={styles.toast}
          data-kind={toast.kind}
          onMouseEnter={() => (release.current = holdToast())}
          onMouseLeave={() => release.current?.()}
        >
          <span className={styles.icon}>{icons[toast.kind]}</span>
          <div className={styles.text}>{toast.content}</div>
          <button type="button" className={styles.close} aria-label={t('close')} onClick={dismissToast}>
            <CloseOutlined aria-hidden />
          </button>
        </div>
      )}
    </div>
  )
}
