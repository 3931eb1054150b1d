import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../kit/api/client.ts'
import { useMetadata } from '../../kit/api/hooks.ts'
import type { FieldMeta, FieldMetas } from '../../kit/api/metadata.ts'
import { Columns } from '../../kit/detail/card.tsx'
import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { toast } from '../../kit/feedback/toast.ts'
import { Form } from '../../kit/form/form.tsx'
import type { FormValues } from '../../kit/form/paths.ts'
import { currentSession, setSession, useSession } from '../../kit/session/session.ts'
import type { Profile } from '../../kit/session/types.ts'
import { useKitText, useMessages } from '../../kit/text.ts'
import { phoneText } from '../../kit/values/phone-text.ts'

const profilePath = 'users/profile/'
const longestPassword = 128
const longestKey = 2048
const empty: FormValues = {}

/** Reads the profile again after a change, for everything that shows it. */
async function refreshProfile(): Promise<void> {
  const profile = await api.get<Profile>(profilePath)
  const session = currentSession()
  if (session) {
    setSession({ ...session, profile })
  }
}

export function ProfileForm() {
  const t = useKitText()
  const { profile } = useSession()
  const metas = useMetadata(profilePath).data?.actions?.PATCH
  const initial = useMemo(() => ({ ...profile, phone: phoneText(profile['phone']) }), [profile])
  const readable = useMemo(() => metas && withoutReadOnly(metas), [metas])
  return (
    readable && (
      <Form
        groups={[
          ['accountGroup', ['username', 'name', 'email']],
          ['other', ['phone', 'wechat']],
        ]}
        metas={readable}
        fields={{
          username: { disabled: true, submit: false },
          name: { disabled: true, submit: false },
          email: { disabled: true, submit: false },
          phone: { widget: 'phone' },
        }}
        initial={initial}
        updating
        onSubmit={async (payload) => {
          await api.patch(profilePath, payload)
          toast.success(t('updateSuccess'))
          await refreshProfile()
        }}
      />
    )
  )
}

/** Fields that are only shown here are described as if they could be typed, or the form would leave them out. */
function withoutReadOnly(metas: FieldMetas): FieldMetas {
  return Object.fromEntries(
    Object.entries(metas).map(([name, meta]) => [name, { ...meta, read_only: false }]),
  )
}

export function PasswordForm() {
  const t = useKitText()
  const text = useMessages()
  const navigate = useNavigate()
  const secret = (label: string): FieldMeta => ({
    type: 'string',
    write_only: true,
    required: true,
    max_length: longestPassword,
    label,
  })
  return (
    <Form
      groups={[['loginPassword', ['old_password', 'new_password', 'new_password_again']]]}
      metas={{
        old_password: secret(text('oldPassword')),
        new_password: secret(text('newPassword')),
        new_password_again: secret(text('newPasswordAgain')),
      }}
      fields={{
        old_password: { secret: true, autoComplete: 'current-password' },
        new_password: { secret: true },
        new_password_again: {
          secret: true,
          rules: [
            (value, values) => (value === values['new_password'] ? undefined : text('passwordsDiffer')),
          ],
        },
      }}
      initial={empty}
      updating={false}
      onSubmit={async (payload) => {
        await api.put(`${profilePath}password/`, payload)
        toast.success(t('updateSuccess'))
        await navigate('/')
      }}
    />
  )
}

export function KeyForm() {
  const t = useKitText()
  const text = useMessages()
  const { profile } = useSession()
  const [round, setRound] = useState(0)
  const metas: FieldMetas = {
    public_key: { type: 'string', required: true, max_length: longestKey, label: text('publicKey') },
  }
  return (
    <Columns
      main={
        <Form
          key={round}
          groups={[['updateSshKey', ['public_key']]]}
          metas={metas}
          fields={{ public_key: { widget: 'textarea', placeholder: 'publicKeyHint' } }}
          initial={empty}
          updating={false}
          onSubmit={async (payload) => {
            await api.put(`${profilePath}public-key/`, payload)
            toast.success(t('updateSuccess'))
            setRound(round + 1)
            await refreshProfile()
          }}
        />
      }
      side={
        <DetailCard
          title={text('currentSshKey')}
          path={profilePath}
          row={profile}
          fields={['public_key_comment', 'public_key_hash_md5']}
          labels={{ public_key_comment: t('name'), public_key_hash_md5: text('sshFingerprint') }}
        />
      }
    />
  )
}
