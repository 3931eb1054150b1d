import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { useMetadata, useSave } from '../../kit/api/hooks.ts'
import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { toast } from '../../kit/feedback/toast.ts'
import type { FieldSpecs } from '../../kit/form/describe.ts'
import { Form } from '../../kit/form/form.tsx'
import type { FieldGroup } from '../../kit/form/form-spec.ts'
import type { FormValues } from '../../kit/form/paths.ts'
import { Page } from '../../kit/page/page.tsx'
import { currentSession, setSession, useSession } from '../../kit/session/session.ts'
import type { Profile } from '../../kit/session/types.ts'
import { useMessages } from '../../kit/text.ts'
import { phoneText } from '../../kit/values/phone-text.ts'

const profilePath = 'users/profile/'
const accountPage = '/profile/info'
const leaveAfterMs = 100

const groups: readonly FieldGroup[] = [
  ['authenticationGroup', ['public_key']],
  ['other', ['phone', 'wechat', 'comment']],
  ['termsAndConditions', ['terms']],
]

/** What a person completes and agrees to at the first login; nothing else opens before. */
export default function Improvement() {
  const text = useMessages()
  const navigate = useNavigate()
  const { profile } = useSession()
  const metadata = useMetadata(profilePath)
  const save = useSave<Profile>(profilePath)
  const fields = useMemo<FieldSpecs>(
    () => ({
      public_key: {
        widget: 'textarea',
        placeholder: 'publicKeyPlaceholder',
        help: 'publicKeyHelp',
        // People of a directory bring their keys from there.
        hidden: profile.source.value !== 'local' || profile['can_public_key_auth'] !== true,
      },
      phone: { widget: 'phone' },
      terms: {
        label: 'terms',
        placeholder: 'termsAgree',
        help: 'termsHelp',
        widget: 'checkbox',
        initial: false,
        required: true,
        rules: [(agreed) => (agreed === true ? undefined : text('termsRequired'))],
      },
    }),
    [profile, text],
  )

  const submit = async (values: FormValues) => {
    const saved = await save.mutateAsync({ method: 'PATCH', values })
    const session = currentSession()
    if (session !== null) setSession({ ...session, profile: saved })
    toast.success(text('improvementDone'))
    setTimeout(() => void navigate(accountPage), leaveAfterMs)
  }

  const guide = profile['guide_url']
  const metas = metadata.data?.actions?.PUT
  return (
    <Page
      help={
        <>
          {text('improvementHelp')}{' '}
          {typeof guide === 'string' && /^https?:\/\//iu.test(guide) && (
            <a href={guide} target="_blank" rel="noopener noreferrer">
              {text('userGuide')}
            </a>
          )}
        </>
      }
    >
      <DetailCard
        title={text('accountGroup')}
        path={profilePath}
        row={profile}
        fields={['username', 'name', 'email']}
      />
      {metas && (
        <Form
          groups={groups}
          fields={fields}
          metas={metas}
          initial={profile}
          extra={{ is_first_login: false }}
          updating
          cleanUp={(values) => ({ ...values, phone: phoneText(values['phone']) })}
          onSubmit={submit}
        />
      )}
    </Page>
  )
}
