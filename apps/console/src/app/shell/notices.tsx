import { CloseOutlined } from '@ant-design/icons'
import dayjs from 'dayjs'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { parseDate } from '../../kit/dates/dates.ts'
import { useLicence } from '../../kit/session/licence.ts'
import { useSession } from '../../kit/session/session.ts'
import { hasRoute } from '../router/tables.ts'
import { licenceNotices, passwordDaysLeft } from './expiry.ts'
import styles from './notices.module.css'
import { Link } from '../../kit/routes/navigation.tsx'

const announcementKey = 'AnnouncementViewed'
const passwordPage = '/profile/setting'

/** What a person must know above every page. */
export function Notices() {
  return (
    <>
      <LicenceNotices />
      <PasswordNotice />
      <Announcement />
    </>
  )
}

function LicenceNotices() {
  const { t } = useTranslation()
  const licence = useLicence()
  const notices = licence ? licenceNotices(licence, dayjs()) : []
  return notices.map(({ key, date }) => (
    <Notice key={key} kind="error">
      {t(key, { date: date?.format('L') })} <Link to="/settings/license">{t('viewLicence')}</Link>
    </Notice>
  ))
}

function PasswordNotice() {
  const { t } = useTranslation()
  const { profile, settings } = useSession()
  if (profile.source.value !== 'local') return null
  const days = passwordDaysLeft(
    parseDate(profile.date_password_last_updated),
    settings.SECURITY_PASSWORD_EXPIRATION_TIME,
    dayjs(),
  )
  if (days === undefined) return null
  return (
    <Notice kind="error">
      {days <= 0 ? t('passwordExpired') : t('passwordExpires', { count: days })}{' '}
      {hasRoute(passwordPage) && (
        <Link to={`${passwordPage}?activeTab=PasswordUpdate`}>{t('changePassword')}</Link>
      )}
    </Notice>
  )
}

/** The platform's announcement, on dashboards and the workbench's home, until it is closed. */
function Announcement() {
  const { t } = useTranslation()
  const { settings } = useSession()
  const { pathname } = useLocation()
  const [closedId, setClosedId] = useState(() => localStorage.getItem(announcementKey))
  const { ID, SUBJECT, CONTENT, LINK } = settings.ANNOUNCEMENT
  const isHere = pathname === '/workbench/home' || pathname.endsWith('/dashboard')
  if (!isHere || !settings.ANNOUNCEMENT_ENABLED || !(SUBJECT || CONTENT) || ID === closedId) return null
  const close = () => {
    localStorage.setItem(announcementKey, ID)
    setClosedId(ID)
  }
  return (
    <Notice kind="success" onClose={close}>
      <strong>
        {t('announcement')}: {SUBJECT}
      </strong>
      <div>
        {CONTENT}{' '}
        {/^https?:\/\//i.test(LINK) && (
          <a href={LINK} target="_blank" rel="noopener noreferrer">
            {t('viewMore')}
          </a>
        )}
      </div>
    </Notice>
  )
}

interface NoticeProps {
  kind: 'error' | 'success'
  onClose?: () => void
  children: ReactNode
}

function Notice({ kind, onClose, children }: NoticeProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.notice} data-kind={kind} role={kind === 'error' ? 'alert' : 'status'}>
      <div className={styles.text}>{children}</div>
      {onClose && (
        <button type="button" className={styles.close} aria-label={t('close')} onClick={onClose}>
          <CloseOutlined />
        </button>
      )}
    </div>
  )
}
