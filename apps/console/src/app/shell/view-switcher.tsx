import { SwapOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MenuButton } from '../../kit/menu/menu.tsx'
import { useSession, type ViewName } from '../../kit/session/session.ts'
import { resetStartUp } from '../start/start-up.ts'
import { rememberView } from '../start/storage.ts'
import { mayEnter, switchableViews } from '../start/views.ts'
import { tableOf } from '../router/tables.ts'
import styles from './sidebar.module.css'
import { useGo } from '../../kit/routes/navigation.tsx'

const tipKey = 'viewSwitcherTip'

/** Which view this is, and the way to the others a person has. */
export function ViewSwitcher({ isWide }: { isWide: boolean }) {
  const { t } = useTranslation()
  const session = useSession()
  const go = useGo()
  const [isTipRead, setTipRead] = useState(() => localStorage.getItem(tipKey) === '1')
  const title = tableOf(session.view)?.title
  const views = switchableViews.flatMap((view) => {
    const table = mayEnter(view, session.profile) ? tableOf(view) : undefined
    return table === undefined ? [] : [{ key: view, label: t(table.title) }]
  })

  const readTip = () => {
    localStorage.setItem(tipKey, '1')
    setTipRead(true)
  }
  const choose = (view: ViewName) => {
    readTip()
    rememberView(view)
    resetStartUp()
    void go(`/${view}`)
  }
  const canSwitch = views.length > 1 || views.some(({ key }) => key !== session.view)

  // Not over the pages that stand beside the views: there somebody else has something to say first.
  const isTipDue = canSwitch && isWide && !isTipRead && views.some(({ key }) => key === session.view)

  return (
    <>
      <div className={styles.view} data-wide={isWide}>
        {isWide && <h2 className={styles.viewTitle}>{title && t(title)}</h2>}
        {canSwitch && (
          <MenuButton
            label={t('switchView')}
            title={t('switchView')}
            className={styles.switch}
            entries={views.map(({ key, label }) => ({
              key,
              label,
              current: key === session.view,
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
          <Button size="small" type="primary" onClick={readTip}>
            {t('gotIt')}
          </Button>
        </div>
      )}
    </>
  )
}
