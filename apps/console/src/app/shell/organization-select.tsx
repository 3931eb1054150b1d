import { ApartmentOutlined, DownOutlined } from '@ant-design/icons'
import { Dropdown } from 'antd'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../kit/session/session.ts'
import { pageScope, useLeave } from '../../kit/unsaved/unsaved.ts'
import { base, currentAddress } from '../addresses.ts'
import { useCurrentRoute } from '../router/current-route.ts'
import { addressInOtherOrganization } from '../start/organizations.ts'
import { enterOrganization } from '../start/start-up.ts'
import styles from './organization-select.module.css'

const reloadDelayMs = 400
const searchFrom = 8

/** The organizations of this view; with a licence, and where the page belongs to one. */
export function OrganizationSelect() {
  const { t } = useTranslation()
  const { profile, settings, organization, organizations } = useSession()
  const route = useCurrentRoute()
  const [chosenId, setChosenId] = useState(organization?.id)
  const [isOpen, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const popup = useRef<HTMLDivElement>(null)
  const leave = useLeave()
  if (!settings.XPACK_LICENSE_IS_VALID || route?.showOrganization === false || organizations.length === 0) {
    return null
  }

  const choose = (id: string) => {
    setOpen(false)
    const chosen = organizations.find((one) => one.id === id)
    if (chosen === undefined || id === organization?.id) return
    leave(pageScope, () => {
      setChosenId(id)
      enterOrganization(profile.username, chosen)
      const address = addressInOtherOrganization(currentAddress()) || `${base}/`
      setTimeout(() => location.assign(address), reloadDelayMs)
    })
  }
  const matching = organizations.filter(({ name }) =>
    name.toLowerCase().includes(search.trim().toLowerCase()),
  )
  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') popup.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
    if (event.key === 'Enter' && matching[0] !== undefined) choose(matching[0].id)
  }
  const name = organizations.find(({ id }) => id === chosenId)?.name ?? t('organization')

  const withSearch = (menu: ReactNode) => (
    <div ref={popup} className={styles.popup}>
      {organizations.length >= searchFrom && (
        <input
          className={styles.search}
          type="search"
          autoFocus
          value={search}
          placeholder={t('searchOrganizations')}
          aria-label={t('searchOrganizations')}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={onSearchKey}
        />
      )}
      {menu}
    </div>
  )

  return (
    <Dropdown
      trigger={['click']}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        setSearch('')
      }}
      autoFocus={organizations.length < searchFrom}
      menu={{
        items: [
          {
            type: 'group',
            key: 'all',
            label: t('allOrganizations'),
            children: matching.map((one) => ({ key: one.id, label: one.name })),
          },
        ],
        selectable: true,
        selectedKeys: chosenId === undefined ? [] : [chosenId],
        onClick: ({ key }) => choose(key),
      }}
      popupRender={withSearch}
    >
      <button type="button" className={styles.trigger} aria-label={`${t('organization')}: ${name}`}>
        <ApartmentOutlined aria-hidden />
        <span className={styles.name}>{name}</span>
        <DownOutlined className={styles.arrow} aria-hidden />
      </button>
    </Dropdown>
  )
}
