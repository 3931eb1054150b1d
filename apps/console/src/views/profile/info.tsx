import { Profile as ProfileResource } from '@sallyport/contract/resources/users'
import type { ReactNode } from 'react'
import { listPath } from '../../kit/api/resource.ts'
import { Columns } from '../../kit/detail/card.tsx'
import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useSession } from '../../kit/session/session.ts'
import type { Profile } from '../../kit/session/types.ts'
import { useMessages } from '../../kit/text.ts'
import { nothing } from '../../kit/values/plain-value.ts'
import { LoginSettings } from './login-settings.tsx'
import { MessageSubscription } from './message-subscription.tsx'

const fields = [
  'username',
  'name',
  'system_roles',
  'org_roles',
  'email',
  'is_active',
  'public_key_comment',
  'mfa_level',
  'source',
  'date_joined',
  'last_login',
  'date_password_last_updated',
  'date_expired',
  'groups',
  'comment',
] as const

/** A key's comment and, below it, its fingerprint. */
function sshKeyOf(profile: Profile): ReactNode {
  const { public_key_comment: comment, public_key_hash_md5: fingerprint } = profile
  const parts = [comment, fingerprint].filter((part) => part !== '')
  return parts.length === 0 ? nothing : parts.map((part) => <div key={part}>{part}</div>)
}

/** What the platform knows of the person signed in. */
export default function AccountInformation() {
  const text = useMessages()
  const { profile } = useSession()
  return (
    <Page>
      <Columns
        main={
          <DetailCard
            path={listPath(ProfileResource.path)}
            row={profile}
            fields={fields}
            labels={{ public_key_comment: text('profile:sshKey') }}
            values={{ public_key_comment: sshKeyOf }}
          />
        }
        side={
          <>
            <LoginSettings />
            <MessageSubscription />
          </>
        }
      />
    </Page>
  )
}
