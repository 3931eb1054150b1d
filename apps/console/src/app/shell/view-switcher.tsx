import { SwapOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { Link, useGo } from '../../kit/routes/navigation.tsx'
import { useSession, type ViewName } from '../../kit/session/session.ts'
import { tableOf } from '../router/tables.ts'
import { resetStartUp } from '../start/start-up.ts'
import { rememberView } from '../start/storage.ts'
import { mayEnter, switchableViews } from '../start/views.ts'
import header from './header.module.css'
import styles from './sidebar.module.css'

const tipKey = 'viewSwitcherTip'

/** The views a person has, by what they are called, and the way into another one. */
function useViews() {
  const { t } = useTranslation()
  const session = useSession()
  const go = useGo()
  const views = switchableViews.flatMap((view) => {
    const table = mayEnter(view, session.profile) ? tableOf(view) : undefined
    return table === undefined ? [] : [{ key: view, label: t(table.title), isCurrent: view === session.view }]
  })
  const enter = (view: ViewName) => {
    localStorage.setItem(tipKey, '1')
    rememberView(view)
    resetStartUp()
  }
  const choose = (view: ViewName) => {
    enter(view)
    void go(`/${view}`)
  }
  return { views, enter, choose, canSwitch: views.length > 1 || views.some(({ isCurrent }) => !isCurrent) }
}

/** The views as words in the header, where there is room for them. */
export function ViewWords() {
  const { t } = useTranslation()
  const { views, enter, canSwitch } = useViews()
  if (!canSwitch) return null
  return (
    <nav className={header.views} aria-label={t('switchView')}>
      {views.map(({ key, label, isCurrent }) => (
        <Link
          key={key}
          to={`/${key}`}
          aria-current={isCurrent ? 'page' : undefined}
          onClick={() => enter(key)}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}

/** Which view this is; in the drawer, where the header has no room for their names, the way to the others too. */
export function ViewSwitcher({ isWide, isDrawer }: { isWide: boolean; isDrawer: boolean }) {
  const { t } = useTranslation()
  const session = useSession()
  const { views, choose, canSwitch } = useViews()
  const [isTipRead, setTipRead] = useState(() => localStorage.getItem(tipKey) === '1')
  const title = tableOf(session.view)?.title

  // Not over the pages that stand beside the views: there somebody else has something to say first.
  const isTipDue = canSwitch && isWide && !isTipRead && views.some(({ isCurrent }) => isCurrent)

  return (
    <>
      <div className={styles.view} data-wide={isWide}>
        {isWide && <h2 className={styles.viewTitle}>{title && t(title)}</h2>}
        {canSwitch && isDrawer && (
          <MenuButton
            label={t('switchView')}
            title={t('switchView')}
            className={styles.switch}
            entries={views.map(({ key, label, isCurrent }) => ({
              key,
              label,
              current: isCurrent,
              onSelect: () => choose(key),
            }))}
          >
            <SwapOutlined />
          </MenuButton>
        )}
      </div>
      {isTipDue && (
        <div className={styles.tip} role="note">
          <p>{t('switchViewTip')}</p>
          <Button
            size="small"
            type="primary"
            onClick={() => {
              localStorage.setItem(tipKey, '1')
              setTipRead(true)
            }}
          >
            {t('gotIt')}
          </Button>
        </div>
      )}
    </>
  )
}
