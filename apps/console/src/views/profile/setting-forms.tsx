import type { SentOf } from '@sallyport/contract/resource/calls'
import { Profile as ProfileResource } from '@sallyport/contract/resources/users'
import { useMemo } from 'react'
import { call } from '../../kit/api/call.ts'
import type { FieldMeta, FieldMetas } from '../../kit/api/metadata.ts'
import { listPath } from '../../kit/api/resource.ts'
import { Columns } from '../../kit/detail/card.tsx'
import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { toast } from '../../kit/feedback/toast.ts'
import { Form } from '../../kit/form/form.tsx'
import { FormPage } from '../../kit/form/form-page.tsx'
import type { FieldGroup, FieldSpecs } from '../../kit/form/form-spec.ts'
import type { FormValues } from '../../kit/form/paths.ts'
import { useSession } from '../../kit/session/session.ts'
import { useKitText, useMessages } from '../../kit/text.ts'
import { refreshProfile } from '../../kit/session/refresh-profile.ts'
import { NewPassword } from './new-password.tsx'
import { useGo } from '../../kit/routes/navigation.tsx'

type Calls = (typeof ProfileResource)['calls']
const profilePath = listPath(ProfileResource.path)
const longestPassword = 128
const longestKey = 2048
const empty: FormValues = {}

export function ProfileForm() {
  return (
    <FormPage
      resource={ProfileResource}
      groups={[
        ['accountGroup', ['username', 'name', 'email']],
        ['other', ['phone', 'wechat']],
      ]}
      fields={{
        username: { disabled: true },
        name: { disabled: true },
        email: { disabled: true },
        phone: { widget: 'phone' },
      }}
      onSaved={() => void refreshProfile()}
    />
  )
}

const passwordGroups: readonly FieldGroup[] = [
  ['profile:loginPassword', ['old_password', 'new_password', 'new_password_again']],
]

export function PasswordForm() {
  const t = useKitText()
  const text = useMessages()
  const go = useGo()
  const metas = useMemo<FieldMetas>(() => {
    const secret = (label: string): FieldMeta => ({
      type: 'string',
      write_only: true,
      required: true,
      max_length: longestPassword,
      label,
    })
    return {
      old_password: secret(text('profile:oldPassword')),
      new_password: secret(text('kit:newPassword')),
      new_password_again: secret(text('kit:newPasswordAgain')),
    }
  }, [text])
  const fields = useMemo<FieldSpecs<'old_password' | 'new_password' | 'new_password_again'>>(
    () => ({
      old_password: { secret: true, autoComplete: 'current-password' },
      new_password: { secret: true, widget: NewPassword },
      new_password_again: {
        secret: true,
        rules: [(value, values) => (value === values.new_password ? undefined : text('kit:passwordsDiffer'))],
      },
    }),
    [text],
  )
  return (
    <Form
      groups={passwordGroups}
      metas={metas}
      fields={fields}
      initial={empty}
      updating={false}
      onSubmit={(payload) =>
        call(ProfileResource, 'setPassword', { body: payload as SentOf<Calls['setPassword']> })
      }
      onSaved={() => {
        toast.success(t('updateSuccess'))
        void go('/')
      }}
    />
  )
}

const keyGroups: readonly FieldGroup[] = [['profile:updateSshKey', ['public_key']]]
const keyFields: FieldSpecs = { public_key: { widget: 'textarea', placeholder: 'profile:publicKeyHint' } }

export function KeyForm() {
  const t = useKitText()
  const text = useMessages()
  const { profile } = useSession()
  const metas = useMemo<FieldMetas>(
    () => ({
      public_key: {
        type: 'string',
        required: true,
        max_length: longestKey,
        label: text('profile:publicKey'),
      },
    }),
    [text],
  )
  return (
    <Columns
      main={
        <Form
          groups={keyGroups}
          metas={metas}
          fields={keyFields}
          initial={empty}
          updating={false}
          onSubmit={(payload) =>
            call(ProfileResource, 'setPublicKey', { body: payload as SentOf<Calls['setPublicKey']> })
          }
          onSaved={() => {
            toast.success(t('updateSuccess'))
            void refreshProfile()
          }}
        />
      }
      side={
        <DetailCard
          title={text('profile:currentSshKey')}
          path={profilePath}
          row={profile}
          fields={['public_key_comment', 'public_key_hash_md5']}
          labels={{ public_key_comment: t('name'), public_key_hash_md5: text('sshFingerprint') }}
        />
      }
    />
  )
}
