import { ArrowLeftOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { ActionDialogs } from '../actions/open-dialog.tsx'
import { useKitText } from '../text.ts'
import styles from './page.module.css'
import { useRouteTitle } from './route-title.ts'

interface PageProps {
  /** The route's own title unless said. */
  title?: string
  /** Buttons at the right of the title. */
  actions?: ReactNode
  /** A sentence above the content that helps a newcomer. */
  help?: ReactNode
  children: ReactNode
}

const historyTooShort = 2

/** The frame of every page: title with a way back, actions, help, content. */
export function Page({ title, actions, help, children }: PageProps) {
  const t = useKitText()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const route = useRouteTitle()
  const nowhereBack = pathname.endsWith('dashboard') || history.length <= historyTooShort
  return (
    <div className={styles.page}>
      <header className={styles.heading}>
        <button
          type="button"
          className={styles.back}
          aria-label={t('back')}
          title={t('back')}
          disabled={nowhereBack}
          onClick={() => void navigate(-1)}
        >
          <ArrowLeftOutlined aria-hidden />
        </button>
        <h1>{title ?? route.title}</h1>
        <div className={styles.actions}>{actions}</div>
      </header>
      <div className={styles.content}>
        {help && <div className={styles.help}>{help}</div>}
        {children}
      </div>
      <ActionDialogs />
    </div>
  )
}
