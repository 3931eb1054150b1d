import { ApartmentOutlined, DownOutlined, PlusOutlined, UnorderedListOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useAccess } from '../../kit/access/access.ts'
import { MenuButton, type MenuEntry } from '../../kit/menu/menu.tsx'
import { useGo } from '../../kit/routes/navigation.tsx'
import { useSession } from '../../kit/session/session.ts'
import type { Organization } from '../../kit/session/types.ts'
import { pageScope, useLeave } from '../../kit/unsaved/unsaved.ts'
import { base, currentAddress } from '../addresses.ts'
import { useCurrentRoute } from '../router/current-route.ts'
import { addressInOtherOrganization } from '../start/organizations.ts'
import { enterOrganization } from '../start/start-up.ts'
import styles from './organization-select.module.css'

const searchFrom = 8

/** The organizations of this view; with a licence, and where the page belongs to one. */
export function OrganizationSelect() {
  const { t } = useTranslation()
  const { profile, settings, view, organization, organizations } = useSession()
  const route = useCurrentRoute()
  const leave = useLeave()
  const management = useManagement()
  // What settings are changed in is chosen by nobody, on an address that is none of theirs, either.
  const isFixed = view === 'settings' || route?.showOrganization === false
  if (!settings.XPACK_LICENSE_IS_VALID || isFixed || organizations.length === 0) {
    return null
  }
  const choose = (chosen: Organization) => {
    if (chosen.id === organization?.id) return
    leave(pageScope, () => {
      enterOrganization(profile.username, chosen)
      location.assign(addressInOtherOrganization(currentAddress()) || `${base}/`)
    })
  }
  const name = organization?.name ?? t('organization')
  return (
    <MenuButton
      label={`${t('organization')}: ${name}`}
      className={styles.trigger}
      search={organizations.length >= searchFrom ? t('searchOrganizations') : undefined}
      entries={[
        ...management,
        ...organizations.map((one) => ({
          key: one.id,
          label: one.name,
          current: one.id === organization?.id,
          onSelect: () => choose(one),
        })),
      ]}
    >
      <ApartmentOutlined aria-hidden />
      <span className={styles.name}>{name}</span>
      <DownOutlined className={styles.arrow} aria-hidden />
    </MenuButton>
  )
}

/** In the console the way to make an organization and to the list of them, for who may do one of the two. */
function useManagement(): (MenuEntry | 'divider')[] {
  const { t } = useTranslation()
  const { view } = useSession()
  const { can } = useAccess()
  const go = useGo()
  const [mayAdd, mayView] = [can('orgs.add_organization'), can('orgs.view_organization')]
  if (view !== 'console' || !(mayAdd || mayView)) return []
  const leadingTo = (to: string, isOpen: boolean) => ({
    key: to,
    disabled: !isOpen,
    title: isOpen ? undefined : t('noRightToIt'),
    onSelect: () => void go(to),
  })
  return [
    {
      ...leadingTo('/settings/orgs/create', mayAdd),
      label: t('createOrganization'),
      icon: <PlusOutlined aria-hidden />,
    },
    {
      ...leadingTo('/settings/orgs', mayView),
      label: t('organizationList'),
      icon: <UnorderedListOutlined aria-hidden />,
    },
    'divider',
  ]
}
