import { ApartmentOutlined } from '@ant-design/icons'
import { Select } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../kit/session/session.ts'
import { base, currentAddress } from '../addresses.ts'
import { useCurrentRoute } from '../router/current-route.ts'
import { addressInOtherOrganization } from '../start/organizations.ts'
import { enterOrganization } from '../start/start-up.ts'
import styles from './header.module.css'

const reloadDelayMs = 400

/** The organizations of this view; with a licence, and where the page belongs to one. */
export function OrganizationSelect() {
  const { t } = useTranslation()
  const { profile, settings, organization, organizations } = useSession()
  const route = useCurrentRoute()
  const [chosenId, setChosenId] = useState(organization?.id)
  if (!settings.XPACK_LICENSE_IS_VALID || route?.showOrganization === false || organizations.length === 0) {
    return null
  }
  const choose = (id: string) => {
    const chosen = organizations.find((one) => one.id === id)
    if (chosen === undefined || id === organization?.id) return
    setChosenId(id)
    enterOrganization(profile.username, chosen)
    const address = addressInOtherOrganization(currentAddress()) || `${base}/`
    setTimeout(() => location.assign(address), reloadDelayMs)
  }
  const isOffered = organizations.some(({ id }) => id === chosenId)
  return (
    <Select
      className={styles.organization}
      aria-label={t('organization')}
      prefix={<ApartmentOutlined aria-hidden />}
      variant="borderless"
      popupMatchSelectWidth={240}
      showSearch={{ optionFilterProp: 'label' }}
      value={isOffered ? chosenId : undefined}
      placeholder={t('organization')}
      onChange={choose}
      options={[
        {
          label: t('allOrganizations'),
          options: organizations.map(({ id, name }) => ({ value: id, label: name })),
        },
      ]}
    />
  )
}
