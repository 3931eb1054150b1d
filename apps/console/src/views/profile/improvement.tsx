import { Profile as ProfileResource } from '@sallyport/contract/resources/users'
import { useMemo } from 'react'
import { listPath } from '../../kit/api/resource.ts'
import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { FormPage } from '../../kit/form/form-page.tsx'
import type { FieldsOf } from '../../kit/form/form-spec.ts'
import { Page } from '../../kit/page/page.tsx'
import { useSession } from '../../kit/session/session.ts'
import { useMessages } from '../../kit/text.ts'
import { refreshProfile } from '../../kit/session/refresh-profile.ts'
import { nextPage, useGo } from '../../kit/routes/navigation.tsx'

/** The terminal workspace sends people here, too, and is no page of the console. */
const isTerminal = (address: string) => /^\/luna(?:[/?]|$)/u.test(address)

const extra = { is_first_login: false }

/** What a person completes and agrees to at the first login; nothing else opens before. */
export default function Improvement() {
  const text = useMessages()
  const go = useGo()
  const { profile } = useSession()
  const form = useMemo<FieldsOf<typeof ProfileResource, 'terms'>>(
    () => ({
      groups: [
        ['authenticationGroup', ['mfa_level', 'public_key']],
        ['other', ['phone', 'wechat']],
        ['profile:termsAndConditions', ['terms']],
      ],
      fields: {
        mfa_level: {
          help: 'profile:mfaLevelHelp',
          // That one must is not for oneself to say.
          closed: [2],
          hidden: profile.mfa_force_enabled,
        },
        public_key: {
          widget: 'textarea',
          placeholder: 'profile:publicKeyPlaceholder',
          help: 'profile:publicKeyHelp',
          // People of a directory bring their keys from there.
          hidden: profile.source.value !== 'local' || !profile.can_public_key_auth,
        },
        phone: { widget: 'phone' },
      },
      own: {
        terms: {
          label: 'profile:terms',
          placeholder: 'profile:termsAgree',
          help: 'profile:termsHelp',
          widget: 'checkbox',
          initial: false,
          required: true,
          rules: [(agreed) => (agreed === true ? undefined : text('profile:termsRequired'))],
        },
      },
    }),
    [profile, text],
  )
  const next = nextPage() ?? '/'
  const goOn = async () => {
    await refreshProfile()
    if (isTerminal(next)) location.assign(next)
    else await go(next)
  }
  const guide = profile.guide_url
  return (
    <Page
      help={
        <>
          {text('profile:improvementHelp')}{' '}
          {/^https?:\/\//iu.test(guide) && (
            <a href={guide} target="_blank" rel="noopener noreferrer">
              {text('profile:userGuide')}
            </a>
          )}
        </>
      }
    >
      <DetailCard
        title={text('accountGroup')}
        path={listPath(ProfileResource.path)}
        row={profile}
        fields={['username', 'name', 'email']}
      />
      <FormPage
        {...form}
        resource={ProfileResource}
        extra={extra}
        savedText="profile:improvementDone"
        onSaved={() => void goOn()}
      />
    </Page>
  )
}
