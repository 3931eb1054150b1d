import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useSession } from '../../kit/session/session.ts'

const fields = [
  'username',
  'name',
  'system_roles',
  'org_roles',
  'email',
  'is_active',
  'public_key_comment',
  'public_key_hash_md5',
  'mfa_level',
  'source',
  'date_joined',
  'last_login',
  'date_password_last_updated',
  'date_expired',
  'groups',
  'comment',
]

/** What the platform knows of the person signed in. */
export default function AccountInformation() {
  const { profile } = useSession()
  return (
    <Page>
      <DetailCard path="users/profile/" row={profile} fields={fields} />
    </Page>
  )
}
